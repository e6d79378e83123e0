import { describe, expect, test } from 'vitest'
import {
  type ChartSeries,
  everyStep,
  findGreatest,
  getLook,
  stepAt,
  toRows,
  toSentences,
} from './chart-series.ts'

const frame = { from: 1000, to: 1250, stepMs: 100 }

describe('the step of an instant', () => {
  test.each([
    ['at its start', 1100, 1100],
    ['within it', 1199, 1100],
    ['in the last one, which is cut short', 1249, 1200],
    ['before the frame', 0, 1000],
    ['after the frame', 9999, 1200],
  ])('%s', (_where, instant, expected) => {
    expect(stepAt(frame, instant)).toBe(expected)
  })
})

test('a step without a value is a gap or a zero as configured, and a measured zero stays one', () => {
  const values = new Map([
    [1000, 0],
    [1200, 7],
  ])
  const filledWith = (emptyValue: number | null) =>
    everyStep(frame, values, emptyValue).map(({ value }) => value)
  expect(filledWith(null)).toEqual([0, null, 7])
  expect(filledWith(0)).toEqual([0, 0, 7])
})

const series: readonly ChartSeries[] = [
  { id: 'a', name: 'A', form: 'line', points: [point(1, 5), point(2, null), point(3, 0)] },
  { id: 'b', name: 'B', form: 'bar', points: [point(1, 2), point(2, null)] },
]

function point(at: number, value: number | null) {
  return { at, value }
}

test('the table has each instant at which anything was measured once, newest first', () => {
  expect(toRows(series)).toEqual([
    { at: 3, values: [0, null] },
    { at: 1, values: [5, 2] },
  ])
})

test('the summary has the range and the latest value of each series, if any', () => {
  const empty: ChartSeries = { id: 'c', name: 'C', form: 'line', points: [point(1, null)] }
  expect(toSentences([...series, empty], String)).toBe(
    'A: 0 to 5, newest 0. B: 2 to 2, newest 2. C: no values.',
  )
})

test('thirty series have thirty styles', () => {
  const looks = Array.from({ length: 30 }, (_, place) => JSON.stringify(getLook({}, place)))
  expect(new Set(looks).size).toBe(30)
})

describe('the greatest value', () => {
  const bars = (id: string, values: readonly (number | null)[], stack?: string): ChartSeries => ({
    ...{ id, name: id, form: 'bar' },
    points: values.map((value, at) => ({ at, value })),
    ...(stack === undefined ? {} : { stack }),
  })

  test('is that of a sum where bars are stacked', () => {
    expect(findGreatest([bars('a', [1, 5, null]), bars('b', [4, 2, 3])])).toBe(5)
    expect(findGreatest([bars('a', [1, 5, null], 's'), bars('b', [4, 2, 3], 's')])).toBe(7)
  })

  test('is 0 without values', () => {
    expect(findGreatest([bars('a', [null])])).toBe(0)
  })
})
