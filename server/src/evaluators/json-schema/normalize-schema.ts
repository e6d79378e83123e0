import { type Fields, isFields } from '@assay/contract/message-parts.ts'

/*
 * Rewrites a JSON Schema that a stranger sent into one that is safe to compile: only keywords of known form, no ids,
 * references only to its own parts, limited in size and depth. Dialects become draft 2020-12.
 */

export type NormalSchema = boolean | Fields

/** What the validator has to know of a subschema; see compile-schema.ts. */
export interface Step {
  readonly cost: number
  /** Properties that may be null because they are not required. */
  readonly optional: readonly string[]
}

/** Not a part of JSON Schema, so no schema can set it. */
export const stepKeyword = 'assayStep'

const subschemasMax = 1000
const depthMax = 40
const sizeMax = 100_000

interface Walk {
  readonly pointers: Set<string>
  readonly references: string[]
  readonly size: { subschemas: number; characters: number }
}

interface Position {
  readonly walk: Walk
  readonly pointer: string
  readonly depth: number
}

class Unsupported extends Error {}

export interface Normalized {
  readonly schema: NormalSchema
  readonly subschemas: number
}

/** A text that is the reason when the schema cannot be used. */
export function normalizeSchema(schema: unknown): Normalized | string {
  const walk: Walk = {
    pointers: new Set(),
    references: [],
    size: { subschemas: 0, characters: 0 },
  }
  try {
    const normal = normalizeAt(schema, { walk, pointer: '#', depth: 0 })
    const missing = walk.references.find((one) => !walk.pointers.has(decoded(one)))
    if (missing === undefined) return { schema: normal, subschemas: walk.size.subschemas }
    return `it refers to "${missing}", which is no part of it`
  } catch (error) {
    if (error instanceof Unsupported) return error.message
    // JSON nested so deep that it cannot be serialized.
    if (error instanceof RangeError) return 'it is nested too deep'
    throw error
  }
}

/** References are fragments of URLs. */
function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference)
  } catch {
    return reference
  }
}

/** Anything that is no schema allows everything. */
function normalizeAt(schema: unknown, position: Position): NormalSchema {
  const { walk, pointer, depth } = position
  walk.pointers.add(pointer)
  if (!isFields(schema)) return schema !== false
  walk.size.subschemas += 1
  if (walk.size.subschemas > subschemasMax) {
    throw new Unsupported(`it has more than ${subschemasMax} parts`)
  }
  if (depth > depthMax) throw new Unsupported('it is nested too deep')
  const members = Object.entries(currentDialect(schema)).flatMap(([keyword, value]) => {
    const normal = keywords.get(keyword)?.(value, child(position, keyword))
    return normal === undefined ? [] : [[keyword, normal] as const]
  })
  const normal: Fields = Object.fromEntries(members)
  return { ...normal, [stepKeyword]: toStep(normal) }
}

function child({ walk, pointer, depth }: Position, name: string | number): Position {
  const escaped = String(name).replaceAll('~', '~0').replaceAll('/', '~1')
  return { walk, pointer: `${pointer}/${escaped}`, depth: depth + 1 }
}

function toStep(schema: Fields): Step {
  const { required, properties, enum: values, patternProperties } = schema
  const names = isFields(properties) ? Object.keys(properties) : []
  const mandatory = new Set(Array.isArray(required) ? (required as string[]) : [])
  const listed = Array.isArray(values) ? values.length : 0
  const patterns = isFields(patternProperties) ? Object.keys(patternProperties).length : 0
  return {
    cost: 1 + names.length + mandatory.size + listed + patterns,
    optional: names.filter((name) => !mandatory.has(name)),
  }
}

const typeNames = new Map(
  Object.entries({
    ...{ string: 'string', number: 'number', integer: 'integer', boolean: 'boolean' },
    ...{ object: 'object', array: 'array', null: 'null' },
    // Written by hand or derived from Python.
    ...{ str: 'string', float: 'number', int: 'integer', bool: 'boolean', dict: 'object' },
    ...{ list: 'array', tuple: 'array' },
  }),
)

/** Draft 4 to 7, OpenAPI and Gemini, as draft 2020-12. */
function currentDialect(schema: Fields): Fields {
  const { items, additionalItems, dependencies, nullable, type, enum: values, ...rest } = schema
  const dependent = isFields(dependencies) ? Object.entries(dependencies) : []
  const isTuple = Array.isArray(items)
  const types = toTypes(type)
  const isNullable = nullable === true
  return {
    ...rest,
    ...(isTuple ? { prefixItems: items, items: additionalItems } : { items }),
    ...(dependent.length > 0 && {
      dependentRequired: Object.fromEntries(dependent.filter(([, one]) => Array.isArray(one))),
      dependentSchemas: Object.fromEntries(dependent.filter(([, one]) => isFields(one))),
    }),
    type: isNullable && types !== undefined ? [...new Set([...types, 'null'])] : types,
    enum: isNullable && Array.isArray(values) ? [...(values as unknown[]), null] : values,
  }
}

/** Undefined if one is unknown: then the type is not checked. */
function toTypes(type: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(type) ? type : [type]
  const known = list.map((one) =>
    typeof one === 'string' ? typeNames.get(one.toLowerCase()) : undefined,
  )
  return known.length > 0 && known.every((one) => one !== undefined)
    ? [...new Set(known)]
    : undefined
}

/** Undefined: the value is ill-formed, and the keyword is ignored. */
type Read = (value: unknown, position: Position) => unknown

const schemaIn: Read = (value, position) =>
  isFields(value) || typeof value === 'boolean' ? normalizeAt(value, position) : undefined

const schemaList: Read = (value, position) =>
  Array.isArray(value) && value.length > 0
    ? value.map((one, index) => normalizeAt(one, child(position, index)))
    : undefined

const schemaMap: Read = (value, position) =>
  isFields(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => {
          charge(name, position)
          return [name, normalizeAt(one, child(position, name))]
        }),
      )
    : undefined

const countIn: Read = (value) => (Number.isInteger(value) && Number(value) >= 0 ? value : undefined)
const numberIn: Read = (value) => (Number.isFinite(value) ? value : undefined)
const stepIn: Read = (value) => (Number.isFinite(value) && Number(value) > 0 ? value : undefined)
const booleanIn: Read = (value) => (typeof value === 'boolean' ? value : undefined)
const textIn: Read = (value, position) =>
  typeof value === 'string' ? charge(value, position) : undefined
const dataIn: Read = (value, position) => charge(value, position)
const valuesIn: Read = (value, position) =>
  Array.isArray(value) && value.length > 0 ? charge(value, position) : undefined

const namesIn: Read = (value, position) => {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return undefined
  return charge([...new Set(value)], position)
}

const namesMap: Read = (value, position) =>
  isFields(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, one]) => {
          const names = namesIn(one, position)
          return names === undefined ? [] : [[name, names]]
        }),
      )
    : undefined

const referenceIn: Read = (value, { walk }) => {
  if (typeof value !== 'string') return undefined
  if (!value.startsWith('#')) throw new Unsupported(`it refers to another document, "${value}"`)
  walk.references.push(value)
  return value
}

/** The value, after counting its size. */
function charge<Value>(value: Value, { walk }: Position): Value {
  walk.size.characters += JSON.stringify(value)?.length ?? 0
  if (walk.size.characters > sizeMax) {
    throw new Unsupported(`it is larger than ${sizeMax / 1000} kB`)
  }
  return value
}

const keywords: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['$ref', referenceIn],
  ...['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas'].map(
    (name) => [name, schemaMap] as const,
  ),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name) => [name, schemaList] as const),
  ...['not', 'if', 'then', 'else', 'items', 'contains', 'propertyNames'].map(
    (name) => [name, schemaIn] as const,
  ),
  ...['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'].map(
    (name) => [name, schemaIn] as const,
  ),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (name) => [name, countIn] as const,
  ),
  ...['minContains', 'maxContains'].map((name) => [name, countIn] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(
    (name) => [name, numberIn] as const,
  ),
  ['multipleOf', stepIn],
  ['uniqueItems', booleanIn],
  ['pattern', textIn],
  ['format', textIn],
  ['type', namesIn],
  ['required', namesIn],
  ['enum', valuesIn],
  ['const', dataIn],
  ['dependentRequired', namesMap],
])
