import { expect, test } from 'vitest'
import { toTotals, toTrend } from './score-totals.ts'

const bucket = (day: number, count: number, mean: number | null, pass_rate: number | null) => ({
  started_at: `2026-01-0${day}T00:00:00Z`,
  ...{ count, mean, pass_rate, not_applicable: 1, errors: 2 },
})
const group = {
  ...{ name: 'Polite', evaluator_id: null, source: 'person' as const },
  buckets: [bucket(1, 3, 1, 1), bucket(2, 0, null, null), bucket(4, 1, 0, 0)],
}

test('totals weigh each day by its scores', () => {
  expect(toTotals(group)).toEqual({
    ...{
      name: 'Polite',
      evaluatorId: null,
      source: 'person',
      count: 4,
      mean: 0.75,
      passRate: 0.75,
      failed: 1,
    },
    ...{ notApplicable: 3, errors: 6 },
  })
})

test('scores of which none counts have no mean', () => {
  const none = { ...group, buckets: [bucket(2, 0, null, null)] }
  expect(toTotals(none)).toMatchObject({ count: 0, failed: 0, mean: null, passRate: null })
})

test('the trend covers the days with scores, and a day without counted ones is a gap', () => {
  const { points, frame } = toTrend(group)
  expect(points.map(({ value }) => value)).toEqual([1, null, 0])
  expect(frame.to - frame.from).toBe(4 * frame.stepMs)
})
