import type { AlertMetric } from '@assay/contract/alerts.ts'
import { expect, test } from 'vitest'
import { toFiringTraces } from './alert-traces.ts'

const at = '2026-05-01T08:30:00.000Z'
const listed = (metric: AlertMetric, status: 'firing' | 'ok' = 'firing') =>
  toFiringTraces({ metric, window_minutes: 60, filters: { environment: 'prod' } }, { at, status })

test('a rule that fires leads to the traces of its window and filters that explain it', () => {
  const counted = { mode: 'all', environment: 'prod', to: at }
  const hour = { ...counted, from: '2026-05-01T07:30:00.000Z' }
  expect(listed('error_rate')).toEqual({ ...hour, status: 'ERROR' })
  expect(listed('latency_p90')).toEqual({ ...hour, order: '-duration' })
  const day = { ...counted, from: '2026-05-01T00:00:00.000Z' }
  expect(listed('cost_per_day')).toEqual({ ...day, order: '-cost' })
})

test('nothing is listed where no traces explain the status', () => {
  expect([listed('score_mean'), listed('no_data'), listed('error_rate', 'ok')]).toEqual([
    ...[undefined, undefined, undefined],
  ])
})
