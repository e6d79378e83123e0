import { expect, test } from 'vitest'
import { describeNoModelCalls } from './no-model-calls.ts'

test('an empty list of models claims nothing about traces that were not examined', () => {
  const empty = describeNoModelCalls('Last 7 days', { trace_count: 5000, is_complete: false })
  expect(empty.title).toBe('No model calls among the newest 5,000 traces')
  expect(empty.text).toBe(
    'Only these of the last 7 days were examined. The trace list can search the others for model calls.',
  )
  const whole = describeNoModelCalls('Last 24 hours', { trace_count: 12, is_complete: true })
  expect(whole.title).toBe('No model calls')
  expect(whole.text).toContain('No span of the last 24 hours has a model.')
})
