import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { toolArgsValid } from './tool-args-valid.ts'

/** A trace with one call of each of the tools. */
function evaluate(tools: readonly { readonly schema: unknown; readonly input: unknown }[]) {
  const definitions = tools.map(({ schema }, n) => ({
    type: 'function',
    function: { name: `tool${n}`, parameters: schema },
  }))
  return toolArgsValid.evaluate(
    sampleView([
      { kind: 'llm', input: { messages: [{ role: 'user', content: 'Hi' }], tools: definitions } },
      ...tools.map(({ input }, n) => ({ kind: 'tool', name: `tool${n}`, input, output: 'ok' })),
    ]),
    { siblings: [] },
  )
}

const find = {
  type: 'object',
  properties: {
    order: { type: 'integer' },
    unit: { type: 'string', enum: ['km', 'mi'] },
    area: { type: 'object', properties: { zip: { type: 'string' } }, required: ['zip'] },
  },
  required: ['order'],
}

describe('the arguments', () => {
  test.each([
    [{ order: 7 }],
    [{ order: 7, unit: 'km', area: { zip: '0150' } }],
    [{ order: 7, unit: null }],
    [{ order: 7.0, area: { zip: '0150', country: 'NO' } }],
  ])('%j fit', (input) => {
    expect(evaluate([{ schema: find, input }])).toMatchObject({ score: 1, issues: [] })
  })

  test.each([
    [{}, 'tool0: "order" is missing (required).'],
    [{ order: null }, 'tool0: "order" must be integer (type).'],
    [{ order: '7' }, 'tool0: "order" must be integer (type).'],
    [{ order: 7, unit: 'ft' }, 'tool0: "unit" must be one of "km", "mi" (enum).'],
    [{ order: 7, hint: 1 }, 'tool0: "hint" is not a known property (additionalProperties).'],
    [{ order: 7, area: {} }, 'tool0: "area.zip" is missing (required).'],
    ['{"order": 7', 'tool0: it must be object (type).'],
  ])('%j do not fit: %s', (input, issue) => {
    expect(evaluate([{ schema: find, input }])).toMatchObject({ score: 0, issues: [issue] })
  })

  test.each([
    [{ type: 'object' }],
    [{ type: 'object', properties: {} }],
    [{ ...find, additionalProperties: true }],
    [{ ...find, patternProperties: { '^x-': {} } }],
  ])('of the open schema %j may have further members', (schema) => {
    expect(evaluate([{ schema, input: { order: 7, 'x-a': 1 } }])).toMatchObject({ score: 1 })
  })
})

test('the score is the share of calls that fit', () => {
  const input = { order: 7 }
  const verdict = evaluate([
    { schema: find, input },
    { schema: find, input: { order: 'seven' } },
    { schema: find, input },
    { schema: undefined, input: { anything: 1 } },
  ])
  expect(verdict).toMatchObject({ status: 'scored', evidence: [{ spanId: 's2', quote: 'seven' }] })
  expect(verdict).toMatchObject({ score: expect.closeTo(2 / 3) })
})

test.each([
  ['without tool calls', []],
  ['without schemas', [{ schema: undefined, input: {} }]],
  ['without recorded arguments', [{ schema: find, input: null }]],
  ['with arguments as the text that a tool made of them', [{ schema: find, input: 'order 7' }]],
  ['with a schema of another document', [{ schema: { $ref: 'https://a.example' }, input: {} }]],
])('a trace %s is not evaluated', (_what, tools) => {
  expect(evaluate(tools).status).toBe('not_applicable')
})

test('a definition that changed allows calls of either version', () => {
  const tools = [{ name: 'find', input_schema: find }]
  const later = [{ name: 'find', input_schema: { ...find, required: [] } }]
  const view = sampleView([
    { kind: 'llm', input: { messages: [], tools } },
    { kind: 'llm', input: { messages: [], tools: later } },
    { kind: 'tool', name: 'find', input: { unit: 'km' } },
  ])
  expect(toolArgsValid.evaluate(view, { siblings: [] })).toMatchObject({ score: 1 })
})

/* Generated tools, with arguments that fit and mutations of them. */

interface Typed {
  readonly schema: Record<string, unknown>
  readonly value: unknown
  /** Of another type. */
  readonly wrong: unknown
}

const text: fc.Arbitrary<Typed> = fc.record({
  schema: fc.constant({ type: 'string', description: 'A text.' }),
  value: fc.string(),
  wrong: fc.oneof(fc.integer(), fc.boolean(), fc.constant([])),
})
const choice: fc.Arbitrary<Typed> = fc
  .uniqueArray(fc.string(), { minLength: 1, maxLength: 4 })
  .map((values) => ({ schema: { type: 'string', enum: values }, value: values[0], wrong: 1 }))
const integer: fc.Arbitrary<Typed> = fc.record({
  schema: fc.constant({ type: 'integer', minimum: -1e9 }),
  value: fc.integer({ min: -1e9 }),
  wrong: fc.oneof(fc.string(), fc.constant(1.5), fc.constant({})),
})
const number: fc.Arbitrary<Typed> = fc.record({
  schema: fc.constant({ type: 'number' }),
  value: fc.double({ noNaN: true, noDefaultInfinity: true }),
  wrong: fc.constantFrom('1.5', true, []),
})
const flag: fc.Arbitrary<Typed> = fc.record({
  schema: fc.constant({ type: 'boolean' }),
  value: fc.boolean(),
  wrong: fc.constantFrom('true', 1, {}),
})
const list: fc.Arbitrary<Typed> = fc.oneof(text, integer).map(({ schema, value, wrong }) => ({
  schema: { type: 'array', items: schema },
  value: [value, value],
  wrong: [wrong],
}))
const leaf = fc.oneof(text, choice, integer, number, flag, list)
const names = fc.string({ minLength: 1 }).filter((name) => name !== '__proto__')

interface Generated extends Typed {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly wrongs: Readonly<Record<string, unknown>>
}

function toObject(members: Readonly<Record<string, Typed & { isRequired: boolean }>>): Generated {
  const entries = Object.entries(members)
  const pick = (of: 'schema' | 'value' | 'wrong') =>
    Object.fromEntries(entries.map(([name, one]) => [name, one[of]]))
  const required = entries.filter(([, one]) => one.isRequired).map(([name]) => name)
  return {
    schema: {
      ...{ type: 'object', properties: pick('schema') },
      ...{ required, additionalProperties: false },
    },
    ...{ value: pick('value'), wrong: 'no object', wrongs: pick('wrong'), required },
    optional: entries.filter(([, one]) => !one.isRequired).map(([name]) => name),
  }
}

const objectOf = (member: fc.Arbitrary<Typed>) =>
  fc
    .dictionary(
      names,
      fc.tuple(member, fc.boolean()).map(([one, isRequired]) => ({ ...one, isRequired })),
      { minKeys: 1, maxKeys: 5 },
    )
    .map(toObject)
const tool = objectOf(fc.oneof({ arbitrary: leaf, weight: 4 }, objectOf(leaf)))

const numRuns = 100
const scoreOf = ({ schema }: Generated, input: unknown) => {
  const verdict = evaluate([{ schema, input }])
  return verdict.status === 'scored' ? verdict.score : verdict.status
}
const args = ({ value }: Generated) => value as Record<string, unknown>

test.each(['args', 'input', 'arguments', 'kwargs'])(
  'an only argument with the name of a wrapper, %s, is an argument where the schema has it',
  (name) => {
    const value = { type: 'object', properties: { zip: { type: 'string' } }, required: ['zip'] }
    const schema = { type: 'object', properties: { [name]: value }, required: [name] }
    expect(evaluate([{ schema, input: { [name]: { zip: '0150' } } }])).toMatchObject({ score: 1 })
    expect(evaluate([{ schema, input: { [name]: { zip: 7 } } }])).toMatchObject({ score: 0 })
  },
)

describe('of generated calls', () => {
  test('none that fits is rejected, also without optional arguments or with null for them', () => {
    fc.assert(
      fc.property(tool, (one) => {
        const absent = Object.fromEntries(one.required.map((name) => [name, args(one)[name]]))
        const nulls = Object.fromEntries(one.optional.map((name) => [name, null]))
        expect(scoreOf(one, args(one))).toBe(1)
        expect(scoreOf(one, absent)).toBe(1)
        expect(scoreOf(one, { ...args(one), ...nulls })).toBe(1)
      }),
      { numRuns },
    )
  })

  test('every one without a required argument is found', () => {
    fc.assert(
      fc.property(tool, (one) => {
        for (const name of one.required) {
          const { [name]: _dropped, ...rest } = args(one)
          expect(scoreOf(one, rest)).toBe(0)
          expect(scoreOf(one, { ...rest, [name]: null })).toBe(0)
        }
      }),
      { numRuns },
    )
  })

  test('every one with an unknown argument is found', () => {
    fc.assert(
      fc.property(tool, names, fc.jsonValue(), (one, name, value) => {
        fc.pre(!Object.hasOwn(args(one), name))
        expect(scoreOf(one, { ...args(one), [name]: value })).toBe(0)
      }),
      { numRuns },
    )
  })

  test('every one with a value of another type is found', () => {
    fc.assert(
      fc.property(tool, (one) => {
        for (const [name, wrong] of Object.entries(one.wrongs)) {
          expect(scoreOf(one, { ...args(one), [name]: wrong })).toBe(0)
        }
      }),
      { numRuns },
    )
  })
})
