import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from './all.ts'
import { endpointName } from './endpoint.ts'
import { id, label } from './fields.ts'
import { formatPredicate } from './validation-messages.ts'

/** The timestamps in the query of each endpoint. */
const queryTimestamps = allEndpoints.flatMap((declared) => {
  if (declared.query === undefined) return []
  const { query } = declared
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties)
    .filter(([, schema]) => typeof schema === 'object' && schema.format === 'date-time')
    .map(([field]) => [endpointName(declared), field, query] as const)
})

const problems = (schema: z.ZodType, value: unknown, field?: string) => {
  const { error } = schema.safeParse(value, { error: formatPredicate })
  return (error?.issues ?? [])
    .filter(({ path }) => field === undefined || path[0] === field)
    .map(({ message }) => message)
}

test('ids of a request are as they are stored, whatever their case', () => {
  const stored = '0190a5b2-0000-7000-8000-00000000abcd'
  expect(id.parse(stored.toUpperCase())).toBe(stored)
  expect(z.toJSONSchema(id, { io: 'input' })).toMatchObject({ type: 'string', format: 'uuid' })
})

/** The ids in paths that clients choose. */
const chosenIds = allEndpoints.flatMap((declared) =>
  ['traceId', 'spanId']
    .filter((name) => declared.path.includes(`{${name}}`))
    .map((name) => [endpointName(declared), name, declared.params] as const),
)

test.each(chosenIds)('%s refuses the %s . and ..', (_name, name, params) => {
  if (params === undefined) throw new Error('The path has a parameter that is not declared.')
  const found = (text: string) => problems(params, { [name]: text }, name)
  const refused = ['must not be "." or "..", which addresses cannot contain']
  expect(['.', '..', '...', '.a'].map(found)).toEqual([refused, refused, [], []])
})

describe('timestamps of queries', () => {
  test.each(queryTimestamps)('%s limits %s to the years 1970 to 2261', (_name, field, query) => {
    const at = (time: string) => problems(query, { [field]: time }, field)
    const years = ['must be in the years 1970 to 2261']
    expect(at('0001-01-01T00:00:00Z')).toEqual(years)
    expect(at('1969-12-31T23:59:59.999Z')).toEqual(years)
    expect(at('2262-01-01T00:00:00Z')).toEqual(years)
    expect(at('9999-12-31T23:59:59Z')).toEqual(years)
    expect(at('1970-01-01T00:00:00Z')).toEqual([])
    expect(at('2261-12-31T23:59:59.999999999Z')).toEqual([])
  })

  test('are found', () => {
    const fields = queryTimestamps.map(([, field]) => field)
    expect([...new Set(fields)].toSorted()).toEqual(['at', 'from', 'to'])
  })
})

describe('a label', () => {
  test.each([
    ['NUL', 'a\0b'],
    ['a line break', 'a\nb'],
    ['DEL', 'a\u007fb'],
    ['a C1 control character', 'a\u0085b'],
    ['a lone surrogate', 'a\ud800b'],
  ])('does not contain %s', (_name, text) => {
    expect(problems(label, text)).toEqual(['must not contain control characters'])
  })

  test.each(['Zoë', '東京', '\u{1F469}\u200D\u{1F680}', 'a\u00a0b'])('can be %s', (text) => {
    expect(label.parse(` ${text}\n`)).toBe(text)
  })
})
