import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from './all.ts'
import { type Body, endpointName } from './endpoint.ts'
import { email, id, label, password, slug, timestamp, wholeNumber } from './fields.ts'
import { ingestBatch } from './ingest.ts'
import { limits } from './limits.ts'
import { formatGroupedIssue, formatIssue, formatPredicate } from './validation-messages.ts'

function parseIssues(schema: z.ZodType, value: unknown) {
  return schema.safeParse(value, { error: formatPredicate }).error?.issues ?? []
}

function sentences(schema: z.ZodType, value: unknown): string[] {
  return parseIssues(schema, value).map((issue) => formatIssue(issue, 'The body'))
}

const shape = z.union([
  z.object({ type: z.literal('circle'), radius: z.number() }),
  z.array(z.string().max(3)),
])
const tagged = z.discriminatedUnion('type', [
  z.object({ type: z.literal('a') }),
  z.object({ type: z.literal('b') }),
  z.object({ type: z.literal('c') }),
])

const situations: readonly (readonly [expected: string, schema: z.ZodType, value: unknown])[] = [
  ['is required', z.string(), undefined],
  ['is required', z.int(), undefined],
  ['is required', z.enum(['a', 'b']), undefined],
  ['is required', shape, undefined],
  ['is required', timestamp, undefined],
  ['must be a string', z.string(), 7],
  ['must be a string', z.string(), null],
  ['must be a number', z.number(), '7'],
  ['must be a number', z.number(), Number.NaN],
  ['must be a whole number', z.int(), 1.5],
  ['must be true or false', z.boolean(), 'true'],
  ['must be an array', z.array(z.string()), {}],
  ['must be an object', z.object({}), []],
  ['must be an object', z.record(z.string(), z.string()), 'x'],
  ['must be null', z.null(), 1],
  ['must be true', z.literal(true), false],
  ['must be OK or ERROR', z.enum(['OK', 'ERROR']), 'UNSET'],
  ['must be one of a, b, c', z.enum(['a', 'b', 'c']), 'd'],
  ['must be one of a, b, c', tagged, {}],
  ['must not be empty', z.string().min(1), ''],
  ['must have at least 2 characters', z.string().min(2), 'x'],
  ['must have at most 1 character', z.string().max(1), 'xx'],
  ['must have exactly 2 characters', z.string().length(2), 'x'],
  ['must not be empty', z.array(z.string()).min(1), []],
  ['must have at least 2 items', z.array(z.string()).min(2), []],
  ['must have at most 1 item', z.array(z.string()).max(1), ['a', 'b']],
  ['must have exactly 1 item', z.array(z.string()).length(1), ['a', 'b']],
  ['must be 0 or more', z.number().min(0), -1],
  ['must be at least 1,000', z.int().min(1000), 999],
  ['must be at most 1,000,000', z.number().max(1_000_000), 1_000_001],
  ['must be at most 0.000001', z.number().max(0.000_001), 1],
  ['must have at most 2,000 characters', z.string().max(2000), 'x'.repeat(2001)],
  ['must be at most 9', z.int().max(9), 10],
  ['must be more than 0', z.number().positive(), 0],
  ['must be less than 1', z.number().lt(1), 1],
  ['must be a multiple of 5', z.number().multipleOf(5), 7],
  ['must be a number from 1 to 100', wholeNumber(1, 100), 'abc'],
  ['must be a number from 1 to 100', wholeNumber(1, 100), '101'],
  ['must be a number from 1 to 100', wholeNumber(1, 100), '0'],
  ['must be a number from 1 to 100', wholeNumber(1, 100), '1.5'],
  ['must be an ISO 8601 UTC timestamp ending in Z', timestamp, '2026-01-01T00:00:00+02:00'],
  ['must be an ISO 8601 UTC timestamp ending in Z', timestamp, 'yesterday'],
  ['must be a date such as 2026-01-31', z.iso.date(), '1.1.2026'],
  ['must be a UUID', id, 'x'],
  ['must be a URL', z.url(), 'x'],
  ['must be an e-mail address', email, 'x'],
  ['must not be empty', label, ' '],
  [`must have at least ${limits.passwordMin.value} characters`, password, 'short'],
  ['must be lower-case letters, digits and single hyphens between them', slug, 'A B'],
  ['must be in the documented format', z.string().regex(/^a$/), 'b'],
  ['has an unknown field: x', z.strictObject({}), { x: 1 }],
  ['has unknown fields: x, y', z.strictObject({}), { x: 1, y: 2 }],
  ['must be a string or a number', z.union([z.string(), z.number()]), true],
  ['must be an object or an array', shape, 'x'],
  ['must be valid', z.string().refine(() => false), 'x'],
  ['must be even', z.int().refine((n) => n % 2 === 0, 'must be even'), 1],
]

describe('a field that', () => {
  test.each(situations)('%s', (expected, schema, value) => {
    const path = schema === tagged ? 'field.type' : 'field'
    expect(sentences(z.object({ field: schema }), { field: value })).toEqual([
      `${path} ${expected}`,
    ])
  })
})

describe('the subject of a sentence', () => {
  test.each([
    ['the whole', ingestBatch, [], 'The body must be an object'],
    [
      'a field',
      ingestBatch,
      { spans: [{ span_id: 's', name: 'n', started_at: '2026-01-01T00:00:00Z' }] },
      'trace_id is required',
    ],
    [
      'a field within a list',
      ingestBatch,
      { trace_id: 't', spans: [{ span_id: 's', name: 'n', started_at: 'now' }] },
      'spans[0].started_at must be an ISO 8601 UTC timestamp ending in Z',
    ],
    ['an item', ingestBatch.pick({ tags: true }), { tags: ['a', ''] }, 'tags[1] must not be empty'],
    [
      'a field of the alternative with the right type',
      z.object({ shape }),
      { shape: { type: 'circle' } },
      'shape.radius is required',
    ],
    [
      'an item of such an alternative',
      z.object({ shape }),
      { shape: ['long'] },
      'shape[0] must have at most 3 characters',
    ],
  ])('%s', (_situation, schema, value, expected) => {
    expect(sentences(schema, value)).toEqual([expected])
  })

  test.each([
    [
      { trace_id: 't', spans: [{ span_id: 's', name: 'n', started_at: 'now' }] },
      'started_at must be an ISO 8601 UTC timestamp ending in Z',
    ],
    [{ trace_id: 't', spans: [7] }, 'an item of spans must be an object'],
    [{ trace_id: 't', spans: [] }, 'spans must not be empty'],
    [{ trace_id: 't' }, 'spans is required'],
  ])('grouped by field has no position: %j', (batch, expected) => {
    const found = parseIssues(ingestBatch, batch).map((issue) =>
      formatGroupedIssue(issue, 'The body'),
    )
    expect(found).toEqual([expected])
  })
})

const junk = [null, 7, -1, 1e300, Number.NaN, '', '?', 'x'.repeat(30_000), [], [1], {}, true]

test.each(allEndpoints.map((declared) => [endpointName(declared), declared] as const))(
  '%s refuses junk with sentences of this service',
  (_name, { body, query, headers }) => {
    const declared: Body | undefined = body
    const parts: unknown[] = [declared && 'schema' in declared && declared.schema, query, headers]
    for (const schema of parts.filter((part) => part instanceof z.ZodType)) {
      const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
      const values = [
        ...junk,
        ...fields.flatMap((field) => junk.map((each) => ({ [field]: each }))),
      ]
      for (const value of values) {
        for (const sentence of sentences(schema, value)) {
          expect(sentence).toMatch(/^\S.* (?:is|must|has|does) /)
          expect(sentence).not.toMatch(/received|Too (?:small|big)|Invalid|be valid|documented f/)
        }
      }
    }
  },
)
