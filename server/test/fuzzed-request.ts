import type { AnyEndpoint, Body } from '@assay/contract/endpoint.ts'
import fc from 'fast-check'
import { z } from 'zod'

/*
 * Requests generated from the declared schemas: close enough to valid to get far, and wrong in every way
 * JSON can be.
 */

export interface FuzzedRequest {
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  /** For each path parameter: an existing id, or arbitrary text. */
  readonly oddParams: Readonly<Record<string, string | null>>
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

export function fuzzedRequest(declared: AnyEndpoint): fc.Arbitrary<FuzzedRequest> {
  const body: Body | undefined = declared.body
  const schema = body !== undefined && 'schema' in body ? body.schema : undefined
  const names = [...declared.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  return fc.record({
    query: declared.query === undefined ? fc.constant({}) : asTexts(like(declared.query)),
    body: schema === undefined ? fc.constant(undefined) : like(schema),
    oddParams: fc.record(
      Object.fromEntries(names.map((name) => [name, frequently(fc.constant(null), oddText)])),
    ),
  })
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    'null',
    '0',
    '../..',
    '%00',
    'x'.repeat(300),
    "'; drop table users --",
    '\u{1F600}',
    '__proto__',
    '00000000-0000-4000-8000-000000000000',
  ),
)

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  oddText,
  fc.constantFrom<unknown>(null, true, -1, 1e308, 2 ** 53, '', [], {}, [null], { a: { b: [1] } }),
)

function frequently<T, U>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ arbitrary: usual, weight: 5 }, { arbitrary: seldom, weight: 1 })
}

function like(shape: z.ZodType): fc.Arbitrary<unknown> {
  return likeSchema(z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Schema)
}

function likeSchema(schema: Schema): fc.Arbitrary<unknown> {
  return frequently(fitting(schema), junk)
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(likeSchema))
  const [type] = Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type]
  switch (type) {
    case 'object':
      return fittingObject(schema)
    case 'array':
      return fc.array(schema.items === undefined ? junk : likeSchema(schema.items), {
        maxLength: 4,
      })
    case 'integer':
      return fc.oneof(fc.nat(200), fc.integer())
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return fittingText
    default:
      return junk
  }
}

const fittingText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5Z', 'ana@example.org'),
  fc.uuid(),
  fc.webUrl(),
)

function fittingObject({ properties = {} }: Schema): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, likeSchema(member)]),
  )
  const known = frequently(fc.record(members), fc.record(members, { requiredKeys: [] }))
  const extra = frequently(fc.constant({}), fc.dictionary(oddText, junk, { maxKeys: 2 }))
  return fc.tuple(known, extra).map(([own, more]) => ({ ...more, ...(own as object) }))
}

function asTexts(values: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, string>> {
  return values.map((value) =>
    Object.fromEntries(
      Object.entries(typeof value === 'object' && value !== null ? value : {}).map(
        ([name, member]) => [name, typeof member === 'string' ? member : JSON.stringify(member)],
      ),
    ),
  )
}
