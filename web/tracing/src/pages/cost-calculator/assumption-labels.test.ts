import { describe, expect, test } from 'vitest'
import { formatAssumption, labelAssumption, meanAssumption } from './assumption-labels.ts'

describe('an assumption', () => {
  test.each([
    ['happy_path.calls_per_run', 'Model calls per run', 'Happy path'],
    ['cache_hit_share', 'Calls that find the earlier context in the prompt cache', undefined],
    [
      'counter_factor',
      'Input tokens of your recorded calls, compared with counted ones',
      undefined,
    ],
    ['something_new', 'something new', undefined],
  ])('%s has a label in plain words', (name, label, category) => {
    expect(labelAssumption(name)).toEqual({ label, category })
  })

  test.each([
    [300.4, 'tokens', '300 tokens'],
    [0.9, 'share', '90%'],
    [1.53, 'tokens per o200k token', '1.5 times as many'],
    [1, 'tokens per o200k token', 'as many'],
    [1.04, 'reported tokens per counted token', '1.04 times as many'],
    [0.8, 'standard deviation of the logarithm', 'mostly within a factor of 2.2'],
    [20_000, 'runs', '20,000'],
    [4.5, 'calls', '4.5'],
  ])('%d %s is "%s"', (value, unit, text) => {
    expect(formatAssumption({ value, unit })).toBe(text)
  })
})

const assumed = (name: string, value: number) =>
  ({ name, value, unit: 'calls', origin: 'prior' }) as const

test('a mean is over the scenarios of all categories', () => {
  const all = [
    ...[assumed('happy_path.runs', 3), assumed('happy_path.calls_per_run', 3)],
    ...[assumed('multi_turn.runs', 1), assumed('multi_turn.calls_per_run', 11)],
  ]
  expect(meanAssumption(all, 'calls_per_run')).toBe(5)
  expect(meanAssumption([assumed('calls_per_run', 7)], 'calls_per_run')).toBe(7)
  expect(meanAssumption([], 'calls_per_run')).toBeUndefined()
})
