import { expect, test } from 'vitest'
import { formatWeights, limitError, readSettings } from './recommendation-settings.ts'

test('settings that are not in the URL leave the defaults to the service', () => {
  expect(readSettings({})).toEqual({})
  expect(formatWeights({})).toBe('Quality 80, cost 15, latency 5')
})

test('a changed weight is sent with the others, and limits in the units of the service', () => {
  expect(
    readSettings({ cost: '60', max_cost: '$0,02', min_score: '.7', max_latency: '2.5' }),
  ).toEqual({
    weights: { quality: 80, cost: 60, latency: 5 },
    constraints: { max_cost_usd: 0.02, min_score: 0.7, max_latency_ms: 2500 },
  })
  expect(formatWeights({ cost: '60', quality: '60', latency: '0' })).toBe(
    'Quality 60, cost 60, latency 0',
  )
})

test('an incomplete limit is not sent, and without any weight nothing is', () => {
  expect(readSettings({ max_cost: 'a', min_score: '2' })).toEqual({})
  expect(readSettings({ quality: '0', cost: '0', latency: '0' })).toBeUndefined()
})

test.each([
  ['max_cost', '', undefined],
  ['max_cost', 'cheap', 'Must be a number'],
  ['max_latency', '-1', 'Must be at least 0'],
  ['min_score', '1.1', 'Must be at most 1'],
] as const)('the limit %s "%s": %s', (name, text, problem) => {
  expect(limitError(name, text)).toBe(problem)
})
