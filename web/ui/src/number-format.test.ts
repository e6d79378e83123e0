import { describe, expect, test } from 'vitest'
import { formatBytes, formatCost, formatTokens } from './number-format.ts'

describe('a cost', () => {
  test.each([
    [null, '—'],
    [0, '$0'],
    [0.000_000_04, '<$0.000001'],
    [0.000_001_2, '$0.0000012'],
    [0.0029, '$0.0029'],
    [0.000_996, '$0.0010'],
    [0.009_96, '$0.010'],
    [0.0567, '$0.057'],
    [0.9994, '$0.999'],
    [0.9996, '$1.00'],
    [12.5, '$12.50'],
    [1234.5, '$1,234.50'],
    [999_999.99, '$999,999.99'],
    [1_234_567.89, '$1,234,568'],
    [999_999_999.4, '$999,999,999'],
    [999_999_999.9, '$1.0e9'],
    [1e308, '$1.0e308'],
  ])('of %d reads %s', (usd, expected) => {
    expect(formatCost(usd)).toBe(expected)
  })
})

describe('a count of tokens', () => {
  test.each([
    [null, '—'],
    [0, '0'],
    [9999, '9,999'],
    [10_000, '10K'],
    [118_700_000, '118.7M'],
  ])('of %d reads %s', (count, expected) => {
    expect(formatTokens(count)).toBe(expected)
  })
})

describe('a size', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1500, '1.5 KB'],
    [34_000_000, '34.0 MB'],
    [2e12, '2000 GB'],
  ])('of %d bytes reads %s', (bytes, expected) => {
    expect(formatBytes(bytes)).toBe(expected)
  })
})
