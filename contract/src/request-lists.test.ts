import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from './all.ts'
import { type AnyEndpoint, type Body, endpointName } from './endpoint.ts'

/*
 * Lists in requests are refused for their length before their items are validated: a body can have hundreds of thousands
 * of items, and validating each would block the event loop. zod checks a `max` of the list itself first.
 */

type Schema = z.core.$ZodType
/** `outer` is the list with all that surrounds it within its object. */
type List = readonly [path: string, outer: Schema, item: Schema]

/** The lists whose items cost something. */
function listsWithin(path: string, schema: Schema, outer = schema): readonly List[] {
  const { def } = schema._zod
  const inner = (children: readonly Schema[]) =>
    children.flatMap((child) => listsWithin(path, child, outer))
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape as z.core.$ZodShape).flatMap(([name, member]) =>
      listsWithin(`${path}.${name}`, member),
    )
  }
  if (schema instanceof z.ZodArray) {
    const item = schema.element
    const own: readonly List[] = item instanceof z.ZodUnknown ? [] : [[path, outer, item]]
    return [...own, ...listsWithin(`${path}[]`, item)]
  }
  if (schema instanceof z.ZodUnion) return inner(schema.options)
  // What follows has at most as many items.
  if (schema instanceof z.ZodPipe) {
    return inner([schema.in instanceof z.ZodTransform ? schema.out : schema.in])
  }
  if ('innerType' in def) return inner([def.innerType as Schema])
  return []
}

/** How many of the items of a list that is too long are validated. */
function countValidated(outer: Schema, item: Schema): number {
  const { run } = item._zod
  let validated = 0
  item._zod.run = (...args) => {
    validated++
    return run(...args)
  }
  try {
    const tooMany = Array.from({ length: 5000 }, () => 1)
    expect(z.safeParse(outer, tooMany).success).toBe(false)
  } finally {
    item._zod.run = run
  }
  return validated
}

const listsOf = ({ query, body }: AnyEndpoint) => {
  const declared: Body | undefined = body
  const schemas = [
    query,
    declared !== undefined && 'schema' in declared ? declared.schema : undefined,
  ]
  return schemas.flatMap((schema) => (schema === undefined ? [] : listsWithin('', schema)))
}

const lists = allEndpoints.flatMap((declared) =>
  listsOf(declared).map(
    ([path, ...list]) => [`${endpointName(declared)} ${path}`, ...list] as const,
  ),
)

describe('a list that is too long', () => {
  test.each(lists)('of %s is refused without validating its items', (_name, outer, item) => {
    // An item may be an alternative to the list, which is then validated once.
    expect(countValidated(outer, item)).toBeLessThanOrEqual(1)
  })

  test('is found in the body of a batch, within unions and behind transforms', () => {
    const names = lists.map(([name]) => name)
    expect(names).toContain('POST /traces/ingest .spans')
    expect(names).toContain('PUT /orgs/{orgId}/sso-config .domains')
    expect(names).toContain('GET /projects/{projectId}/traces .tag')
  })

  test('has its items validated if the limit applies to what becomes of it', () => {
    const item = z.string()
    const transformed = z.array(item).transform((items) => new Set(items))
    expect(countValidated(transformed.pipe(z.set(z.string()).max(9)), item)).toBe(5000)
    expect(countValidated(z.array(item).max(9).nullish(), item)).toBe(0)
  })
})
