import { describe, expect, test } from 'vitest'
import { tailAbove, valueAtTail } from './student-t.ts'

// From printed tables.
const table: readonly (readonly [degrees: number, tail: number, value: number])[] = [
  [1, 0.025, 12.706],
  [2, 0.05, 2.92],
  [4, 0.025, 2.776],
  [9, 0.005, 3.25],
  [19, 0.05, 1.729],
  [30, 0.025, 2.042],
  [120, 0.025, 1.98],
  [999_999, 0.025, 1.96],
]

describe("Student's t", () => {
  test.each(table)('with %i degrees has the tail %d above %d', (degrees, tail, value) => {
    expect(valueAtTail(tail, degrees)).toBeCloseTo(value, 2)
    expect(tailAbove(value, degrees)).toBeCloseTo(tail, 4)
    expect(tailAbove(-value, degrees)).toBeCloseTo(1 - tail, 4)
  })

  test('has half of its probability above 0, and none above infinity', () => {
    expect(tailAbove(0, 5)).toBeCloseTo(0.5, 10)
    expect(tailAbove(Number.MAX_VALUE, 5)).toBeCloseTo(0, 10)
  })
})
