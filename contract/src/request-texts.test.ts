import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from './all.ts'
import { type Body, endpointName } from './endpoint.ts'
import { type JsonSchema, namedShapes, toJsonSchema } from './json-schema.ts'

/*
 * A text of a request body that is stored has a limit: otherwise it may be as long as the body, in every row, and be
 * read with each list of them.
 */

/** Compared or hashed, never stored. */
const credentials =
  /\.(?:email|password|current_password|token|invite_token|code|confirm|SAMLResponse|RelayState)$/

/** The texts of a schema without a limit, by their path. */
function unlimitedTexts(
  path: string,
  schema: JsonSchema,
  named: Readonly<Record<string, JsonSchema>>,
): readonly string[] {
  const { $ref, type, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
  const { additionalProperties: values } = schema
  const isLimited = ['maxLength', 'enum', 'const', 'format', 'pattern'].some((key) => key in schema)
  const inner: readonly (readonly [string, unknown])[] = [
    [path, $ref === undefined ? undefined : named[$ref.slice(namedShapes.length)]],
    [`${path}[]`, items],
    [`${path}{}`, values],
    ...[...anyOf, ...oneOf, ...allOf].map((one) => [path, one] as const),
    ...Object.entries(properties).map(([name, one]) => [`${path}.${name}`, one] as const),
  ]
  return [
    ...([type].flat().includes('string') && !isLimited && !credentials.test(path) ? [path] : []),
    ...inner.flatMap(([at, one]) =>
      typeof one === 'object' && one !== null ? unlimitedTexts(at, one as JsonSchema, named) : [],
    ),
  ]
}

const bodies = allEndpoints.flatMap((declared) => {
  const { body }: { readonly body?: Body } = declared
  return body !== undefined && 'schema' in body
    ? [[endpointName(declared), body.schema] as const]
    : []
})

function listUnlimited(body: z.ZodType): readonly string[] {
  const { schema, named } = toJsonSchema(body, 'input')
  return unlimitedTexts('body', schema, named)
}

describe('every text in a request body', () => {
  test.each(bodies)('of %s has a limit', (_name, body) => {
    expect(listUnlimited(body)).toEqual([])
  })

  test('is found if it has none', () => {
    const texts = z.object({
      note: z.string().nullish(),
      tags: z.array(z.string()),
      short: z.string().max(3),
    })
    expect(listUnlimited(texts)).toEqual(['body.note', 'body.tags[]'])
  })
})
