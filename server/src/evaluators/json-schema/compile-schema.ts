import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { fastFormats, fullFormats } from 'ajv-formats/dist/formats.js'
import { canonicalJson } from '../../domain/trace-view/canonical-json.ts'
import { compilePattern, type SafePattern } from '../safe-pattern.ts'
import { type NormalSchema, normalizeSchema, type Step, stepKeyword } from './normalize-schema.ts'

/*
 * Validates values with schemas from traces. ajv generates code from a schema, so only a normalized one is compiled, each
 * by an instance of its own, and every step of a validation counts: a small schema can take exponential time.
 */

/** Shared by the validations of one evaluation, so that their time is limited together. */
export interface Budget {
  remaining: number
}

/** About a second in the worst case. */
export function newBudget(): Budget {
  return { remaining: 1_000_000 }
}

export type SchemaErrors = readonly ErrorObject[]

export interface CompiledSchema {
  /** Empty for a valid value; undefined when it took too many steps to decide. */
  readonly validate: (value: unknown, budget: Budget) => SchemaErrors | undefined
}

interface Mode {
  /** An optional property that is null counts as absent, as models write arguments. */
  readonly isNullAbsent: boolean
  /** Otherwise it stops at the first error. */
  readonly findsAllErrors: boolean
}

const cacheMax = 300
/** The least recently used first. */
const cache = new Map<string, CompiledSchema>()

/** Of compiling a subschema, relative to a step of a validation. */
const compileCost = 200

/** A text that is the reason when the schema cannot be used. */
export function compileSchema(
  schema: unknown,
  mode: Mode,
  budget: Budget,
): CompiledSchema | string {
  const normal = normalizeSchema(schema)
  if (typeof normal === 'string') return normal
  // Also when it is cached, so that the outcome does not depend on earlier traces.
  budget.remaining -= compileCost * (1 + normal.subschemas)
  if (budget.remaining < 0) return 'the trace has too many large schemas'
  const key = `${mode.isNullAbsent} ${mode.findsAllErrors} ${JSON.stringify(normal.schema)}`
  const compiled = cache.get(key) ?? compile(normal.schema, mode)
  if (typeof compiled === 'string') return compiled
  cache.delete(key)
  cache.set(key, compiled)
  if (cache.size > cacheMax) cache.delete(cache.keys().next().value!)
  return compiled
}

class OutOfBudget extends Error {}

function compile(schema: NormalSchema, mode: Mode): CompiledSchema | string {
  let budget = newBudget()
  const charge = (cost: number) => {
    budget.remaining -= cost
    if (budget.remaining < 0) throw new OutOfBudget()
  }
  let check: ValidateFunction
  try {
    check = newAjv(mode, charge).compile(schema)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return {
    validate(value, given) {
      budget = given
      try {
        // Validation deletes properties that count as absent.
        return check(mode.isNullAbsent ? structuredClone(value) : value) ? [] : check.errors!
      } catch (error) {
        // RangeError: a reference to itself has exhausted the stack.
        if (error instanceof OutOfBudget || error instanceof RangeError) return undefined
        throw error
      }
    },
  }
}

const formats = {
  ...{ date: fullFormats.date, time: fullFormats.time, 'date-time': fullFormats['date-time'] },
  ...{ email: fastFormats.email, uri: fastFormats.uri, uuid: fastFormats.uuid },
  ...{ ipv4: fastFormats.ipv4, ipv6: fastFormats.ipv6 },
}

type Charge = (cost: number) => void

function newAjv({ isNullAbsent, findsAllErrors }: Mode, charge: Charge): Ajv2020 {
  const ajv = new Ajv2020({
    ...{ meta: false, validateSchema: false, strict: false, logger: false },
    ...{ allErrors: findsAllErrors, inlineRefs: false, multipleOfPrecision: 6, formats },
    // A property may be called `valueOf`.
    ownProperties: true,
    // Optimizing takes quadratic time in the size of the schema.
    code: { optimize: false, regExp: regExpEngine(charge) },
  })
  ajv.addKeyword({
    keyword: stepKeyword,
    before: '$ref',
    errors: false,
    validate({ cost, optional }: Step, value: unknown) {
      charge(cost + sizeOf(value))
      if (isNullAbsent) removeNulls(value, optional)
      return true
    },
  })
  // ajv's own compares every item with every other one.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, items: unknown[]) => {
      if (!isUnique) return true
      const texts = items.map((one) => canonicalJson(one))
      charge(texts.reduce((sum, text) => sum + 1 + text.length / 100, 0))
      return new Set(texts).size === items.length
    },
  })
  return ajv
}

/** Steps for reading a value once, such as the length of a text in characters. Its parts have steps of their own. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / 500)
  if (typeof value !== 'object' || value === null) return 0
  return Array.isArray(value) ? Math.floor(value.length / 500) : memberCount(value)
}

const counts = new WeakMap<object, number>()

function memberCount(value: object): number {
  const count = counts.get(value) ?? Object.keys(value).length
  counts.set(value, count)
  return count
}

function removeNulls(value: unknown, names: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const fields = value as Record<string, unknown>
  for (const name of names)
    if (Object.hasOwn(fields, name) && fields[name] === null) delete fields[name]
}

/** Longer texts are searched up to here. */
const searchedMax = 10_000

function regExpEngine(charge: Charge) {
  const engine = (source: string) => {
    const pattern: SafePattern = compilePattern(source)
    const test = (text: string) => {
      const searched = text.slice(0, searchedMax)
      charge(1 + Math.ceil((searched.length * pattern.size) / 20))
      return pattern.matches(searched)
    }
    // ajv reuses the engine of another pattern with the same text.
    return { test, toString: () => source }
  }
  // ajv needs the code of the engine only to write validators to files.
  return Object.assign(engine, { code: 'new RegExp' })
}
