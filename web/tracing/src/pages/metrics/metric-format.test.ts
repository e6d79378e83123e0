import { describe, expect, test } from 'vitest'
import { formatInUnit, formatKind, getFormatter } from './metric-format.ts'

describe('a value with its unit', () => {
  test.each([
    [1.24, 's', '1.24 s'],
    [250, 'ms', '250 ms'],
    [1500, 'us', '1.5 ms'],
    [-2, 's', '−2.00 s'],
    [3_200_000, 'By', '3.2 MB'],
    [2, 'KiBy', '2.0 KB'],
    [12.5, '%', '12.5%'],
    [7, '{request}', '7 requests'],
    [1, '{run}', '1 run'],
    [0, '{run}', '0 runs'],
    [2, '{tokens}', '2 tokens'],
    [2, '{query}', '2 query'],
    [5, '{batch}', '5 batch'],
    [5, '{flush}', '5 flush'],
    [5, '{address}', '5 address'],
    [5, '{box}', '5 box'],
    [5, '{path}', '5 paths'],
    [0.123_456, '1', '0.1235'],
    [1_234_567, '', '1.2M'],
    [3, 'constructor', '3 constructor'],
    [3, 'toString', '3 toString'],
  ])('%d %s reads %s', (value, unit, expected) => {
    expect(formatInUnit(value, unit)).toBe(expected)
  })
})

test('a rate is per second and a count has no unit', () => {
  expect(getFormatter('rate', 's')(0.5)).toBe('0.5/s')
  expect(getFormatter('count', 's')(12)).toBe('12')
  expect(getFormatter('p90', 's')(12)).toBe('12.0 s')
})

test.each([
  ['{run}', 'gauge, in run'],
  ['By', 'gauge, in By'],
  ['1', 'gauge'],
  ['', 'gauge'],
])('a gauge in %j is described as %j', (unit, description) => {
  expect(formatKind({ kind: 'gauge', unit })).toBe(description)
})
