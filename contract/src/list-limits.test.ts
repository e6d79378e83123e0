import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from './all.ts'
import { type AnyEndpoint, endpoint, endpointName, replyForm } from './endpoint.ts'
import { limitedList, pageMeta } from './fields.ts'
import { type JsonSchema, namedShapes, toJsonSchema } from './json-schema.ts'
import { limits } from './limits.ts'

/*
 * A response without pages has a limit for each of its lists: one that can grow forever would block the event loop for
 * everybody. Declare it with `limitedList`, and enforce it where items are added.
 */

/** The lists of a response that can grow without limit, by their path. */
function unlimitedLists(declared: AnyEndpoint): readonly string[] {
  if (isStream(declared) || isPaged(declared)) return []
  const { schema, named } = toJsonSchema(declared.success.data, 'output')
  return listsWithin('data', schema, named)
}

/** Streams send one item at a time. */
function isStream(declared: AnyEndpoint): boolean {
  return replyForm(declared) === 'events' || replyForm(declared) === 'json-lines'
}

function isPaged({ query, success: { meta } }: AnyEndpoint): boolean {
  const hasCursor = (shape: z.ZodType | undefined) =>
    shape instanceof z.ZodObject && 'cursor' in shape.shape
  return hasCursor(query) && hasCursor(meta)
}

function listsWithin(
  path: string,
  schema: JsonSchema,
  named: Readonly<Record<string, JsonSchema>>,
): readonly string[] {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
  const shape = $ref === undefined ? undefined : named[$ref.slice(namedShapes.length)]
  const inner: readonly (readonly [string, unknown])[] = [
    [path, shape],
    [`${path}[]`, items],
    ...[...anyOf, ...oneOf, ...allOf].map((one) => [path, one] as const),
    ...Object.entries(properties).map(([name, one]) => [`${path}.${name}`, one] as const),
  ]
  const isUnlimited = schema.type === 'array' && schema.maxItems === undefined
  return [
    ...(isUnlimited ? [path] : []),
    ...inner.flatMap(([at, one]) =>
      typeof one === 'object' && one !== null ? listsWithin(at, one as JsonSchema, named) : [],
    ),
  ]
}

describe('every list in a response', () => {
  const reads = allEndpoints.filter(({ method }) => method === 'GET')

  test.each(reads.map((one) => [endpointName(one), one] as const))(
    'of %s is paged or has a limit',
    (_name, declared) => {
      expect(unlimitedLists(declared)).toEqual([])
    },
  )

  test.each([
    ['data', z.array(z.string())],
    ['data.names', z.object({ names: z.array(z.string()).nullable() })],
    ['data[].names', limitedList(z.object({ names: z.array(z.string()) }), 'organizations')],
    ['data.a.names', z.object({ a: z.object({ names: z.array(z.string()) }).meta({ id: 'A' }) })],
  ])('is found at %s if it has neither', (path, data) => {
    expect(unlimitedLists(sample(data))).toEqual([path])
  })

  test('is not paged without a cursor in the request', () => {
    const list = z.array(z.string())
    expect(unlimitedLists(sample(list, pageMeta))).toEqual(['data'])
  })

  test('is documented with its limit', () => {
    const { schema } = toJsonSchema(limitedList(z.string(), 'organizations'), 'output')
    expect(schema.maxItems).toBe(limits.organizations.value)
  })
})

function sample(data: z.ZodType, meta?: z.ZodType): AnyEndpoint {
  return endpoint({
    ...{ method: 'GET', path: '/samples', tag: 'Samples', summary: 'List samples' },
    access: { by: 'session' },
    cost: 'cheap',
    success: { status: 200, data, ...(meta === undefined ? {} : { meta }) },
  })
}
