import { z } from 'zod'

/*
 * The contract's shapes as JSON Schema 2020-12, the dialect of OpenAPI 3.1.
 */

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** `input`: what a client may send (members with defaults are optional); `output`: what it receives. */
export type Direction = 'input' | 'output'

export interface Described {
  readonly schema: JsonSchema
  /** The shapes with an `id` that `schema` refers to, by that id. */
  readonly named: Readonly<Record<string, JsonSchema>>
}

/** The base of references to named shapes. */
export const namedShapes = '#/components/schemas/'

export function toJsonSchema(shape: z.ZodType, direction: Direction): Described {
  const written = z.toJSONSchema(shape, { io: direction, unrepresentable: 'any', override: tidy })
  const { $schema: _, $defs, ...schema } = pointingTo(namedShapes, written)
  return { schema, named: $defs ?? {} }
}

function pointingTo(place: string, schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', `"$ref":"${place}`)
  return JSON.parse(text) as JsonSchema
}

// Removes regular expressions that repeat `format` and the bounds of safe integers, which are noise to a
// reader, and leaves objects open: responses may gain members.
function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}
