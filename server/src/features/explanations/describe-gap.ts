import type { ExplainedModel } from '@assay/contract/explanations.ts'

/** The difference by rules, in one or two sentences. */
export function describeGap(evaluatorName: string, a: ExplainedModel, b: ExplainedModel): string {
  if (a.score === b.score && a.passed === b.passed) {
    return `${a.label} and ${b.label} have the same score on ${evaluatorName}: ${format(a.score)}.`
  }
  const [better, worse] = a.score >= b.score ? [a, b] : [b, a]
  const gap = format(Math.abs(a.score - b.score))
  const outcome =
    better.passed === worse.passed
      ? `both ${better.passed ? 'passed' : 'did not pass'}`
      : `only ${(better.passed ? better : worse).label} passed`
  const numbers = `${better.label} has ${format(better.score)} and ${worse.label} has ${format(worse.score)} on ${evaluatorName}, a difference of ${gap}; ${outcome}.`
  const reason = findReason(better, worse)
  return reason === undefined ? numbers : `${numbers} ${reason}`
}

const textMax = 300

/** The first criterion that only the better one meets, else the first issue that only the other one has. */
function findReason(better: ExplainedModel, worse: ExplainedModel): string | undefined {
  const met = new Set(better.criteria.filter(isMet).map(nameOf))
  const missed = worse.criteria.find((one) => isMissed(one) && met.has(nameOf(one)))
  if (missed !== undefined) return `${worse.label} does not meet "${nameOf(missed)}".`
  const known = new Set(better.issues.map(textOf))
  const issue = worse.issues.map(textOf).find((text) => text !== '' && !known.has(text))
  return issue === undefined ? undefined : `Noted about ${worse.label}: ${issue}`
}

function isMet(criterion: unknown): boolean {
  const verdict = memberOf(criterion, 'verdict') ?? memberOf(criterion, 'passed')
  return verdict === 'yes' || verdict === true || verdict === 1
}

function isMissed(criterion: unknown): boolean {
  const verdict = memberOf(criterion, 'verdict') ?? memberOf(criterion, 'passed')
  return verdict === 'no' || verdict === false || verdict === 0
}

function nameOf(criterion: unknown): string {
  const name = ['question', 'id', 'name'].map((one) => memberOf(criterion, one)).find(isText)
  return shorten(name ?? textOf(criterion))
}

/** An issue is a text, or an object with one. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return shorten(value.trim())
  const text = ['message', 'text', 'issue', 'quote'].map((one) => memberOf(value, one)).find(isText)
  return text === undefined ? '' : shorten(text)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function shorten(text: string): string {
  return text.length <= textMax ? text : `${text.slice(0, textMax).toWellFormed()}…`
}

function format(score: number): string {
  return String(Math.round(score * 1000) / 1000)
}
