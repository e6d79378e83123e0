import { type ChatFinding, isBlocking } from '@assay/contract/chat-scan.ts'
import type { UploadedAttachment } from './thread-state.ts'

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

/** Where a finding is, unless it is in the message itself. `files`: those of the message that have one. */
export function formatPlace(
  { attachment_id: id, source }: ChatFinding,
  files: readonly UploadedAttachment[],
): string {
  if (source === 'history') return ', in an earlier message'
  if (id === undefined && source !== 'attachment') return ''
  const [file, other] = id === undefined ? files : files.filter((one) => one.id === id)
  return file === undefined || other !== undefined ? ', in a file' : `, in ${file.name}`
}

/**
 * The files of a message that have findings. The service does not know the ids of those in an encrypted conversation:
 * what their uploads found decides, or else all count.
 */
export function filesWithFindings(
  attachments: readonly UploadedAttachment[],
  findings: readonly ChatFinding[],
): readonly UploadedAttachment[] {
  if (findings.every(({ source }) => source !== 'attachment')) {
    const ids = new Set(findings.map(({ attachment_id }) => attachment_id))
    return attachments.filter(({ id }) => ids.has(id))
  }
  const found = attachments.filter((one) => one.findings?.some(isBlocking))
  return found.length > 0 ? found : attachments
}

/** The message with a mark in place of each blocking finding in it. */
export function replaceFindings(text: string, findings: readonly ChatFinding[]): string {
  let result = ''
  let end = 0
  const inText = findings.filter((finding) => isBlocking(finding) && isInMessage(finding))
  for (const finding of inText.toSorted((one, other) => one.start - other.start)) {
    if (finding.start < end) continue
    result += `${text.slice(end, finding.start)}[${formatFindingType(finding.type)} removed]`
    end = finding.end
  }
  return result + text.slice(end)
}

/** Whether a finding is in the message itself, which its offsets refer to. */
function isInMessage({ attachment_id, source }: ChatFinding): boolean {
  return attachment_id === undefined && source === undefined
}
