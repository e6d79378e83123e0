import { expect, test } from 'vitest'
import { describeLearned, volumeRows } from './volume-rows.ts'

test('volumes have a row for each name that is known', () => {
  const rows = volumeRows({ tokens_in_p50: 1200.4, llm_calls_mean: 2.25 })
  expect(rows).toEqual([
    { label: 'Input tokens', p50: '1,200', p90: undefined, mean: undefined },
    { label: 'Model calls', p50: undefined, p90: undefined, mean: '2.3' },
  ])
})

test('what else was learned is a sentence each', () => {
  expect(describeLearned({ cached_share: 0.421 }, { tool_output_tokens: 310.4 })).toBe(
    'A prompt cache had 42% of the input. A tool returns 310 tokens on average.',
  )
  expect(describeLearned({}, {})).toBe('')
})
