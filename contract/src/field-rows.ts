import type { z } from 'zod'
import { type Direction, type JsonSchema, namedShapes, toJsonSchema } from './json-schema.ts'

/*
 * A shape as table rows, for the reference pages and the page at /docs.
 */

export interface FieldRow {
  /** The member's path: `spans[].name`. */
  readonly name: string
  /** `string, 1 to 128 characters`. */
  readonly type: string
  /** Also false if there is a default. */
  readonly required: boolean
  /** May be empty. */
  readonly note: string
}

/** The members of a shape, nested ones after their parent. A shape other than an object becomes one row without a name. */
export function fieldRows(shape: z.ZodType, direction: Direction): readonly FieldRow[] {
  const { schema, named } = toJsonSchema(shape, direction)
  const rows = rowsBelow('', schema, named)
  return rows.length > 0 ? rows : [toFieldRow('', schema, true, named)]
}

type Named = Readonly<Record<string, JsonSchema>>

function rowsBelow(prefix: string, schema: JsonSchema, named: Named): readonly FieldRow[] {
  const whole = resolved(withoutNull(schema), named)
  if (whole.type === 'array') return rowsBelow(`${prefix}[]`, itemSchema(whole), named)
  if (whole.oneOf !== undefined) return rowsOfForms(prefix, whole.oneOf, named)
  const { properties = {}, required = [] } = whole
  return Object.entries(properties).flatMap(([key, value]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    const property = value as JsonSchema
    return [
      toFieldRow(name, property, required.includes(key), named),
      ...rowsBelow(name, property, named),
    ]
  })
}

/** The members of one form after those of another; what they share is listed once. */
function rowsOfForms(prefix: string, forms: readonly JsonSchema[], named: Named): FieldRow[] {
  const rows = forms.flatMap((form) => rowsBelow(prefix, form, named))
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]
}

function toFieldRow(name: string, schema: JsonSchema, required: boolean, named: Named): FieldRow {
  return {
    name,
    type: formatType(schema, named),
    required: required && schema.default === undefined,
    note: [
      schema.description,
      schema.default === undefined ? undefined : `default \`${formatValue(schema.default)}\``,
    ]
      .filter((part) => part !== undefined)
      .join('; '),
  }
}

function formatType(schema: JsonSchema, named: Named): string {
  const inner = withoutNull(schema)
  if (inner !== schema) return `${formatType(inner, named)}, or null`
  const whole = resolved(schema, named)
  if (whole.const !== undefined) return `\`${formatValue(whole.const)}\``
  if (whole.enum !== undefined)
    return whole.enum.map((value) => `\`${formatValue(value)}\``).join(', ')
  if (whole.oneOf !== undefined) return 'object'
  switch (whole.type) {
    case 'string':
      return [formats[whole.format ?? ''] ?? 'string', formatLength(whole)].join('')
    case 'integer':
    case 'number':
      return [whole.type, formatBounds(whole)].join('')
    case 'array':
      return formatArray(formatType(itemSchema(whole), named), formatItemCount(whole))
    case 'boolean':
    case 'object':
      return whole.type
    default:
      return 'any JSON'
  }
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'timestamp',
  uuid: 'UUID',
  email: 'e-mail address',
}

function formatArray(item: string, count: string): string {
  return count === '' ? `array of ${item}` : `array${count}, each ${item}`
}

function formatLength({ minLength, maxLength }: JsonSchema): string {
  return formatRange(minLength, maxLength, ' characters')
}

function formatItemCount({ minItems, maxItems }: JsonSchema): string {
  return formatRange(minItems, maxItems, ' items')
}

function formatBounds({ minimum, maximum }: JsonSchema): string {
  return formatRange(minimum, maximum, '')
}

function formatRange(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}${unit}`
  if (most !== undefined) return `, at most ${most}${unit}`
  return least === undefined ? '' : `, at least ${least}${unit}`
}

function itemSchema(schema: JsonSchema): JsonSchema {
  return (schema.items ?? {}) as JsonSchema
}

function resolved(schema: JsonSchema, named: Named): JsonSchema {
  return schema.$ref === undefined ? schema : (named[schema.$ref.slice(namedShapes.length)] ?? {})
}

/** The same schema when it does not allow null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema
  if (Array.isArray(type)) {
    const [only] = (type as unknown as string[]).filter((one) => one !== 'null')
    return { ...schema, type: only } as JsonSchema
  }
  const others = anyOf?.filter((one) => one.type !== 'null')
  const [only] = others ?? []
  if (anyOf === undefined || others?.length === anyOf.length || others?.length !== 1) return schema
  const { description } = schema
  return description === undefined ? { ...only } : { ...only, description }
}
