import { expect, test } from 'vitest'
import { formatMs, formatScore, formatUsd } from './format-amounts.ts'

test.each([
  [0, '$0'],
  [1e-9, '<$0.000001'],
  [0.00012, '$0.00012'],
  [0.0099, '$0.0099'],
  [0.02885, '$0.029'],
  [0.9996, '$1.00'],
  [1234.5, '$1,234.50'],
])('USD %d is %s, as on the pages', (usd, text) => {
  expect(formatUsd(usd)).toBe(text)
})

test.each([
  [0, '0 ms'],
  [0.25, '0.25 ms'],
  [999.4, '999 ms'],
  [2250, '2.25 s'],
  [12_340, '12.3 s'],
  [59_960, '1 min 00 s'],
  [125_000, '2 min 05 s'],
])('%d ms are %s', (ms, text) => {
  expect(formatMs(ms)).toBe(text)
})

test.each([
  [0.999, '0.99'],
  [1, '1.00'],
  [0.5, '0.50'],
])('the score %d is %s', (score, text) => {
  expect(formatScore(score)).toBe(text)
})
