import { expect, test } from 'vitest'
import { stepPath } from './usage-path.ts'
import type { UsagePoint } from './usage-series.ts'

const point = (atMs: number, totalIn: number): UsagePoint => ({
  atMs,
  totalIn,
  spanId: 's',
  tokensIn: 0,
  tokensOut: 0,
  costUsd: 0,
  totalOut: 0,
  totalUsd: 0,
})

test('a cumulative value stays level between steps and extends to the end of the trace', () => {
  const frame = { widthPx: 100, heightPx: 11, topPx: 0, lengthMs: 1000, most: 10 }
  const path = stepPath([point(250, 5), point(500, 10)], ({ totalIn }) => totalIn, frame)
  expect(path).toBe('M0,10H25V5H50V0H100')
})
