import { z } from 'zod'

/*
 * The contract's shapes as JSON Schema 2020-12, the dialect of OpenAPI 3.1.
 */

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** What a client may send (`input`: defaults may be left out) or is sent (`output`). */
export type Direction = 'input' | 'output'

export interface Described {
  readonly schema: JsonSchema
  /** The shapes with an `id` that `schema` refers to, by that id. */
  readonly named: Readonly<Record<string, JsonSchema>>
}

/** Where references to named shapes point. */
export const namedShapes = '#/components/schemas/'

export function jsonSchemaOf(shape: z.ZodType, direction: Direction): Described {
  const written = z.toJSONSchema(shape, { io: direction, unrepresentable: 'any', override: tidy })
  const { $schema: _, $defs, ...schema } = pointingTo(namedShapes, written)
  return { schema, named: $defs ?? {} }
}

function pointingTo(place: string, schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', `"$ref":"${place}`)
  return JSON.parse(text) as JsonSchema
}

// `format` says what the long regular expressions beside it say, the bounds of a double's exact integers
// tell a reader nothing, and answers may gain members: closed objects would forbid that.
function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}
