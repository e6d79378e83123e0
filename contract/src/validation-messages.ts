import type { z } from 'zod'

/*
 * The one place that turns zod issues into sentences: `trace_id is required`, `spans[0].name must have at
 * most 512 characters`. A schema's own message is only the part after the field: `must …`.
 */

type RawIssue = z.core.$ZodRawIssue
type Issue = z.core.$ZodIssue

/** The error map of every validation: the problem, without the field. */
export function formatPredicate(issue: RawIssue): string {
  const { code, input } = issue
  if (input === undefined && code !== 'unrecognized_keys' && code !== 'custom') return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? 'valid'}`
    case 'invalid_value':
      return `must be ${formatChoices(issue.values)}`
    case 'invalid_format':
      return `must be ${formatNames[issue.format] ?? 'in the documented format'}`
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return issue.keys.length === 1
        ? `has an unknown field: ${issue.keys[0]}`
        : `has unknown fields: ${issue.keys.join(', ')}`
    case 'invalid_union':
      return unionPredicate(issue)
    case 'invalid_key':
      return 'has an invalid key'
    default:
      return 'must be valid'
  }
}

/** The sentence of an issue about `subject` (`The body`) or a field within it. */
export function formatIssue(issue: Issue, subject: string): string {
  const { path, message } = innermost(issue)
  return `${path.length === 0 ? subject : fieldName(path)} ${message}`
}

/** As `formatIssue`, for a list under the name of its field: the position within the field's own list is left out. */
export function formatGroupedIssue(issue: Issue, subject: string): string {
  const { path, message } = innermost(issue)
  const [field, position, ...rest] = path
  if (typeof position !== 'number') return formatIssue(issue, subject)
  const name = rest.length === 0 ? `an item of ${String(field)}` : fieldName(rest)
  return `${name} ${message}`
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) =>
      typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`,
    )
    .join('')
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formatNames: Readonly<Record<string, string>> = {
  datetime: 'an ISO 8601 UTC timestamp ending in Z',
  date: 'a date such as 2026-01-31',
  uuid: 'a UUID',
  guid: 'a UUID',
  email: 'an e-mail address',
  url: 'a URL',
  base64: 'base64',
}

function formatChoices(values: readonly unknown[]): string {
  const names = values.map((value) => (value === '' ? 'empty' : String(value)))
  return names.length < 3 ? names.join(' or ') : `one of ${names.join(', ')}`
}

/** The unit of a length; undefined for numbers, which have none. */
function unitFor(origin: string, count: number | bigint): string | undefined {
  const plural = Number(count) === 1 ? '' : 's'
  if (origin === 'string') return `character${plural}`
  return origin === 'array' || origin === 'set' || origin === 'map' ? `item${plural}` : undefined
}

function tooSmall({ origin, minimum, exact, inclusive }: Sized<'too_small'>): string {
  const unit = unitFor(origin, minimum)
  const count = formatNumber(minimum)
  if (unit === undefined) {
    if (inclusive === false) return `must be more than ${count}`
    return Number(minimum) === 0 ? 'must be 0 or more' : `must be at least ${count}`
  }
  if (exact === true) return `must have exactly ${count} ${unit}`
  return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${count} ${unit}`
}

function tooBig({ origin, maximum, exact, inclusive }: Sized<'too_big'>): string {
  const unit = unitFor(origin, maximum)
  if (unit === undefined)
    return `must be ${inclusive === false ? 'less than' : 'at most'} ${formatNumber(maximum)}`
  return `must have ${exact === true ? 'exactly' : 'at most'} ${formatNumber(maximum)} ${unit}`
}

/** `1,000,000`. */
function formatNumber(value: number | bigint): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 20 })
}

type Sized<Code> = Extract<RawIssue, { code: Code }>

/** A placeholder: `innermost` replaces it with the first problem of the alternative that fits best. */
const withinAlternative = 'must have one of the documented forms'

function unionPredicate(issue: Sized<'invalid_union'>): string {
  if ('options' in issue && Array.isArray(issue.options))
    return `must be ${formatChoices(issue.options)}`
  if (issue.errors.some(isOfRightType)) return withinAlternative
  const expected = issue.errors.map(([first]) => first?.message.replace(/^must be /, '') ?? '')
  return `must be ${expected.join(' or ')}`
}

function isOfRightType([first]: readonly Issue[]): boolean {
  return first !== undefined && !(first.code === 'invalid_type' && first.path.length === 0)
}

function innermost(issue: Issue): Pick<Issue, 'path' | 'message'> {
  if (issue.code !== 'invalid_union' || issue.message !== withinAlternative) return issue
  const [first] = issue.errors.find(isOfRightType) ?? []
  if (first === undefined) return issue
  const { path, message } = innermost(first)
  return { path: [...issue.path, ...path], message }
}
