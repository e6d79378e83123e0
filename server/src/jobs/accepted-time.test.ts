import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkTime, type TimeState } from './accepted-time.ts'

const hour = 3_600_000
const day = 24 * hour

/** Whether each of the times is accepted, checked one after the other. */
function accepted(times: readonly number[]): boolean[] {
  let state: TimeState | undefined
  return times.map((now) => {
    const checked = checkTime(now, state)
    state = checked.state
    return checked.isAccepted
  })
}

const hourly = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => from + i * hour)

describe('a time', () => {
  test.each<[string, readonly number[], readonly boolean[]]>([
    ['is accepted the first time', [0], [true]],
    ['is accepted hour by hour', hourly(0, 4), [true, true, true, true]],
    ['is accepted after a day without the service', [0, day], [true, true]],
    ['that jumped by more than a day is not', [0, day + 1], [true, false]],
    ['is accepted once the clock was corrected', [0, 400 * day, hour], [true, false, true]],
    ['that was set back is accepted', [10 * day, 0, hour], [true, true, true]],
    [
      'that jumps again starts over',
      [0, 2 * day, 4 * day, 6 * day, 8 * day],
      [true, false, false, false, false],
    ],
    [
      'that jumped is accepted after it has lasted for a day',
      [0, ...hourly(2 * day, 26)],
      [true, ...Array.from({ length: 24 }, () => false), true, true],
    ],
  ])('%s', (_promise, times, expected) => {
    expect(accepted(times)).toEqual(expected)
  })

  test('is never accepted within a day of a jump, whatever happened before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 * day }), { minLength: 1 }),
        fc.integer({ min: day + 1, max: 4000 * day }),
        fc.array(fc.integer({ min: 0, max: day - 1 }), { minLength: 1 }),
        (before, jump, after) => {
          const latest = Math.max(...before)
          // The clock is right when the last time before the jump is accepted.
          const right = [...before, latest, latest + hour]
          if (accepted(right).at(-1) !== true) return
          const wrong = after.toSorted((a, b) => a - b).map((ms) => latest + hour + jump + ms)
          const span = wrong.at(-1)! - wrong[0]!
          fc.pre(span < day)
          expect(accepted([...right, ...wrong]).slice(right.length)).toEqual(wrong.map(() => false))
        },
      ),
    )
  })
})
