import { type Fields, isFields } from '@assay/contract/message-parts.ts'
import { canonicalJson, textOf } from '../../domain/trace-view/canonical-json.ts'
import type { TraceView, ViewSpan } from '../../domain/trace-view/trace-view.ts'
import { compilePattern, type SafePattern } from '../safe-pattern.ts'
import { textMax } from '../texts.ts'
import {
  type Path,
  parsePath,
  type Select,
  type Selected,
  type Serialize,
  type Work,
} from './select-path.ts'

/*
 * One assertion of `eval.assert`: what it requires of a trace, or why it is invalid.
 */

export interface Assertion {
  readonly weight: number
  /** A sentence without its end: `output contains "Oslo"`. */
  readonly label: string
  readonly check: (trace: TraceView, select: Select, work: Work) => Outcome
}

export interface Outcome {
  readonly passed: boolean
  /** What the trace has instead; empty if it passed. */
  readonly problem: string
  readonly at?: Selected
}

export function newWork(): Work {
  return { remaining: 20_000_000, texts: new Map() }
}

/** A text that is the reason when the assertion is invalid. */
export function parseAssertion(value: unknown): Assertion | string {
  if (!isFields(value)) return 'it must be an object with `path`, `op` and `value`'
  const { op, weight = 1 } = value
  if (typeof weight !== 'number' || !Number.isFinite(weight) || weight <= 0) {
    return '`weight` must be a number above 0'
  }
  if (typeof op !== 'string') return '`op` must be a text'
  if (op === 'count') return parseCount(value, weight)
  const parse = operators.get(op)
  if (parse === undefined) {
    return `"${op.slice(0, 40)}" is not an op. Use one of ${[...operators.keys(), 'count'].join(', ')}`
  }
  const path = parsePath(value['path'])
  if (typeof path === 'string') return path
  if (!('value' in value)) return '`value` is missing'
  const test = parse(value['value'])
  if (typeof test === 'string') return test
  const label = `${String(value['path'])} ${op} ${shorten(value['value'])}`
  return {
    weight,
    label,
    check: (_trace, select, work) => checkSelected(select(path), work, path, test),
  }
}

interface Test {
  readonly passes: (value: unknown, work: Work) => boolean
  /** Whether every selected value must pass; otherwise one is enough. */
  readonly forEvery: boolean
}

const tooLong = 'the assertions read too much of the trace'

function checkSelected(selected: readonly Selected[], work: Work, path: Path, test: Test): Outcome {
  if (work.remaining < 0) return { passed: false, problem: tooLong }
  if (selected.length === 0) return { passed: false, problem: 'the trace has no such value' }
  if (test.forEvery) {
    const wrong = selected.find(({ value }) => !test.passes(value, work))
    return wrong === undefined
      ? { passed: true, problem: '' }
      : { passed: false, problem: `the value is ${shorten(wrong.value)}`, at: wrong }
  }
  const passed = selected.some(({ value }) => work.remaining < 0 || test.passes(value, work))
  if (work.remaining < 0) return { passed: false, problem: tooLong }
  if (passed) return { passed: true, problem: '' }
  const [first] = selected
  const others = path.isPattern
    ? `none of ${selected.length} values passes; the first`
    : 'the value'
  return { passed: false, problem: `${others} is ${shorten(first!.value)}`, at: first! }
}

const shownMax = 80

function shorten(value: unknown): string {
  const text =
    JSON.stringify(typeof value === 'string' ? value.slice(0, shownMax + 1) : value) ?? 'null'
  return text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()} …` : text
}

type ParseTest = (expected: unknown) => Test | string

const one = (passes: Test['passes']): Test => ({ passes, forEvery: false })
const every = (passes: Test['passes']): Test => ({ passes, forEvery: true })

const operators: ReadonlyMap<string, ParseTest> = new Map<string, ParseTest>([
  ['equals', (expected) => one((value, work) => isEqual(value, expected, work))],
  ['contains', (expected) => one((value, work) => contains(value, expected, work))],
  [
    'any',
    (expected) =>
      Array.isArray(expected) && expected.length > 0
        ? one((value, work) =>
            expected.some((part) => work.remaining < 0 || contains(value, part, work)),
          )
        : '`value` of `any` must be a list',
  ],
  [
    'all',
    (expected) =>
      Array.isArray(expected) && expected.length > 0
        ? one((value, work) => expected.every((part) => contains(value, part, work)))
        : '`value` of `all` must be a list',
  ],
  ['regex', parseRegex],
  ['type', parseType],
  ['min', (expected) => parseBound(expected, (value, bound) => value >= bound)],
  ['max', (expected) => parseBound(expected, (value, bound) => value <= bound)],
])

function isEqual(value: unknown, expected: unknown, work: Work): boolean {
  if (!isContainer(value) || !isContainer(expected)) {
    work.remaining -= lengthOf(value) + lengthOf(expected)
    return typeof value === 'string' && typeof expected === 'string'
      ? value.trim() === expected.trim()
      : value === expected
  }
  return read(canonicalJson, value, work) === read(canonicalJson, expected, work)
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? 1 + value.length : 4
}

/** A part of a text, an item of a list, or a part of the JSON of an object. */
function contains(value: unknown, part: unknown, work: Work): boolean {
  if (Array.isArray(value)) {
    return value.some((item) => work.remaining < 0 || isEqual(item, part, work))
  }
  const serialize = typeof value === 'string' || typeof part === 'string' ? textOf : canonicalJson
  return read(serialize, value, work).includes(read(serialize, part, work))
}

/** Empty when too much was read before; then no result counts. Objects with many keys take long, and once only. */
function read(serialize: Serialize, value: unknown, work: Work): string {
  if (work.remaining < 0) return ''
  let texts = work.texts.get(serialize)
  if (texts === undefined) work.texts.set(serialize, (texts = new Map()))
  const text = texts.get(value) ?? serialize(value)
  if (isContainer(value)) texts.set(value, text)
  work.remaining -= 1 + text.length
  return text
}

function parseRegex(expected: unknown): Test | string {
  if (typeof expected !== 'string') return '`value` of `regex` must be a text'
  let pattern: SafePattern
  try {
    pattern = compilePattern(expected)
  } catch (error) {
    return `the regular expression cannot be used: ${error instanceof Error ? error.message : ''}`
  }
  return one((value, work) => {
    const text = read(textOf, value, work).slice(0, textMax)
    work.remaining -= text.length * pattern.size
    return work.remaining >= 0 && pattern.matches(text)
  })
}

const types: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['string', (value: unknown) => typeof value === 'string'],
  ['number', (value: unknown) => typeof value === 'number'],
  ['integer', (value: unknown) => Number.isInteger(value)],
  ['boolean', (value: unknown) => typeof value === 'boolean'],
  ['array', (value: unknown) => Array.isArray(value)],
  ['object', (value: unknown) => isFields(value)],
  ['null', (value: unknown) => value === null],
])

function parseType(expected: unknown): Test | string {
  const isOfType = types.get(String(expected))
  return isOfType === undefined
    ? `\`value\` of \`type\` must be one of ${[...types.keys()].join(', ')}`
    : every(isOfType)
}

/** Numbers, also as text, and the numbers of items of lists. */
function parseBound(
  expected: unknown,
  isWithin: (value: number, bound: number) => boolean,
): Test | string {
  if (typeof expected !== 'number') return '`value` of `min` and `max` must be a number'
  return every((value) => {
    const number = Array.isArray(value) ? value.length : toNumber(value)
    return Number.isFinite(number) && isWithin(number, expected)
  })
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

const countMembers = new Set(['kind', 'name', 'status', 'attributes', 'equals', 'min', 'max'])

/** `{op: 'count', value: {kind: 'tool', name: 'search', attributes: {…}, min: 1, max: 3}}`. */
function parseCount({ value }: Fields, weight: number): Assertion | string {
  if (!isFields(value)) return '`value` of `count` must be an object'
  const unknown = Object.keys(value).find((name) => !countMembers.has(name))
  if (unknown !== undefined) {
    return `\`value\` of \`count\` has the unknown member "${unknown.slice(0, 40)}". Use ${[...countMembers].join(', ')}`
  }
  const { equals, min = equals ?? 0, max = equals ?? Number.POSITIVE_INFINITY } = value
  if (typeof min !== 'number' || typeof max !== 'number') {
    return '`equals`, `min` and `max` of `count` must be numbers'
  }
  if (!['equals', 'min', 'max'].some((name) => name in value)) {
    return '`value` of `count` must have `equals`, `min` or `max`'
  }
  const { attributes = {} } = value
  if (!isFields(attributes)) return '`attributes` of `count` must be an object'
  const label = `count of spans ${shorten(value)}`
  const check: Assertion['check'] = ({ spans }, _select, work) => {
    const expected = Object.entries(attributes)
    const found = spans.filter(
      (span) => work.remaining >= 0 && isCounted(span, value, expected, work),
    )
    if (work.remaining < 0) return { passed: false, problem: tooLong }
    const [first] = found
    if (found.length >= min && found.length <= max) return { passed: true, problem: '' }
    const problem = `the trace has ${found.length} such spans`
    const at = first === undefined ? {} : { at: { value: first.name, span: first } }
    return { passed: false, problem, ...at }
  }
  return { weight, label, check }
}

function isCounted(
  span: ViewSpan,
  { kind, name, status }: Fields,
  attributes: readonly (readonly [string, unknown])[],
  work: Work,
): boolean {
  const isOf = (expected: unknown, own: string) => expected === undefined || expected === own
  return (
    isOf(kind, span.kind) &&
    isOf(name, span.name) &&
    isOf(status, span.status) &&
    attributes.every(
      ([key, expected]) =>
        Object.hasOwn(span.attributes, key) && isEqual(span.attributes[key], expected, work),
    )
  )
}
