import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { between, following, moved, windowFrom, windowText, zoomed } from './time-window.ts'

const scale = { startMs: 5000, lengthMs: 1000 }
const whole = { fromMs: 0, toMs: 1000 }

describe('the time window', () => {
  test.each<[string | undefined, object]>([
    [undefined, whole],
    ['', whole],
    ['nonsense', whole],
    ['100-250.5', { fromMs: 100, toMs: 250.5 }],
    ['900-4000', { fromMs: 900, toMs: 1000 }],
    ['300-200', { fromMs: 300, toMs: 300.01 }],
  ])('parsed from %j is %j', (text, expected) => {
    expect(windowFrom(text, scale)).toEqual(expected)
  })

  test('survives a round trip through the URL', () => {
    expect(windowText(whole, scale)).toBe('')
    const part = { fromMs: 12.5, toMs: 300 }
    expect(windowFrom(windowText(part, scale), scale)).toEqual(part)
  })

  test('zooms in around an instant and back out', () => {
    const closer = zoomed(whole, scale, 2, 200)
    expect(closer).toEqual({ fromMs: 100, toMs: 600 })
    expect(zoomed(closer, scale, 0.5, 200)).toEqual(whole)
  })

  test('keeps its length when moved against an end', () => {
    expect(moved({ fromMs: 100, toMs: 300 }, scale, 950)).toEqual({ fromMs: 800, toMs: 1000 })
    expect(moved({ fromMs: 100, toMs: 300 }, scale, -50)).toEqual({ fromMs: 0, toMs: 200 })
  })

  test('moves to a selection outside of it and stays for one partly inside', () => {
    const window = { fromMs: 100, toMs: 300 }
    expect(following(window, scale, 5290, 5900)).toBe(window)
    expect(following(window, scale, 5600, 5700)).toEqual({ fromMs: 550, toMs: 750 })
    expect(following(window, scale, 5990, 6000)).toEqual({ fromMs: 800, toMs: 1000 })
  })

  test('stays within the trace and is never empty', () => {
    const ms = fc.double({ min: -3000, max: 3000, noNaN: true })
    fc.assert(
      fc.property(ms, ms, fc.double({ min: 0.1, max: 10, noNaN: true }), (one, other, factor) => {
        for (const window of [
          between(one, other, scale),
          zoomed(between(one, other, scale), scale, factor, other),
        ]) {
          expect(window.fromMs).toBeGreaterThanOrEqual(0)
          expect(window.toMs).toBeLessThanOrEqual(1000)
          expect(window.toMs).toBeGreaterThan(window.fromMs)
        }
      }),
    )
  })
})
