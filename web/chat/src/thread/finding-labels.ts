import { type ChatFinding, isBlocking } from '@assay/contract/chat-scan.ts'

/*
 * Findings in words, and messages without what was found.
 */

const categories: Readonly<Record<ChatFinding['category'], string>> = {
  credential: 'Credential',
  government_id: 'Government identifier',
  contact: 'Contact data',
  financial: 'Financial data',
}

/** `Credential: GitHub token`. */
export function formatFinding({ category, type }: ChatFinding): string {
  return `${categories[category]}: ${formatFindingType(type)}`
}

/** `github_token` becomes `GitHub token`, and `us_ssn` `US SSN`. */
export function formatFindingType(type: string): string {
  const words = type.split('_').map((word, place) => {
    // Types of identifiers begin with their country.
    const isShort = place === 0 && word.length === 2
    return names.get(word) ?? (isShort ? word.toUpperCase() : word)
  })
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const names: ReadonlyMap<string, string> = new Map(
  [
    ...['AD', 'API', 'AWS', 'CPF', 'CURP', 'GCP', 'IBAN', 'ID', 'ITIN', 'JWT', 'MRZ', 'NHS', 'NIR'],
    ...['NINO', 'NRIC', 'OAuth', 'OpenAI', 'SAS', 'SIN', 'SSN', 'TFN', 'URL', 'VAT'],
    ...['Anthropic', 'Azure', 'GitHub', 'GitLab', 'Google', 'PayPal', 'PyPI', 'SendGrid', 'Slack'],
    ...['Stripe', 'Telegram', 'Twilio', 'npm'],
  ].map((name) => [name.toLowerCase(), name]),
)

/** The text with a mark in place of each blocking finding. */
export function replaceFindings(text: string, findings: readonly ChatFinding[]): string {
  let result = ''
  let end = 0
  const inText = findings.filter(
    (finding) => isBlocking(finding) && finding.attachment_id === undefined,
  )
  for (const finding of inText.toSorted((one, other) => one.start - other.start)) {
    if (finding.start < end) continue
    result += `${text.slice(end, finding.start)}[${formatFindingType(finding.type)} removed]`
    end = finding.end
  }
  return result + text.slice(end)
}
