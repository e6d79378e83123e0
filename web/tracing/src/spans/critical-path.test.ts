import type { ListedSpan } from '@assay/contract/traces.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../test/sample-span.ts'
import { criticalPath } from './critical-path.ts'
import { buildTree } from './span-tree.ts'

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20, 10) + ms).toISOString()

function span(id: string, parent: string | null, fromMs: number, toMs: number): ListedSpan {
  return sampleSpan(id, parent, { started_at: at(fromMs), ended_at: at(toMs) })
}

/** The self time of each span on the path, by ID. */
function pathOf(spans: readonly ListedSpan[]): Readonly<Record<string, number>> {
  const { selfMs } = criticalPath(buildTree(spans))
  return Object.fromEntries([...selfMs].map(([position, ms]) => [spans[position]?.span_id, ms]))
}

describe('the critical path', () => {
  test.each<[string, readonly ListedSpan[], Readonly<Record<string, number>>]>([
    [
      'goes through sequential children and counts gaps as self time of the parent',
      [span('root', null, 0, 100), span('a', 'root', 10, 40), span('b', 'root', 50, 90)],
      { root: 30, a: 30, b: 40 },
    ],
    [
      'takes the last of parallel children to end',
      [span('root', null, 0, 100), span('short', 'root', 10, 50), span('long', 'root', 10, 90)],
      { root: 20, long: 80 },
    ],
    [
      'continues from the last overlapping child to one that ended before it started',
      [
        span('root', null, 0, 100),
        span('first', 'root', 0, 40),
        span('beside', 'root', 20, 60),
        span('last', 'root', 50, 100),
      ],
      { root: 10, first: 40, last: 50 },
    ],
    [
      'follows a child that outlives its parent',
      [span('root', null, 0, 20), span('left behind', 'root', 10, 80)],
      { root: 10, 'left behind': 70 },
    ],
    [
      'skips background work that was not waited for',
      [
        span('root', null, 0, 100),
        span('starter', 'root', 0, 10),
        span('background', 'starter', 5, 60),
        span('main', 'root', 10, 100),
      ],
      { root: 0, starter: 10, main: 90 },
    ],
    [
      'includes a parent cycle once',
      [span('a', 'b', 0, 100), span('b', 'a', 20, 60)],
      { a: 60, b: 40 },
    ],
    [
      'goes through several roots and orphans',
      [span('one', null, 0, 40), span('lost', 'gone', 50, 90), span('aside', null, 60, 80)],
      { one: 40, lost: 40 },
    ],
    ['handles a single instant', [span('only', null, 5, 5)], { only: 0 }],
    ['is empty without spans', [], {}],
  ])('%s', (_name, spans, expected) => {
    expect(pathOf(spans)).toEqual(expected)
  })

  test('handles a chain of a hundred thousand spans', () => {
    const chain = Array.from({ length: 100_000 }, (_, n) =>
      span(`s${n}`, n === 0 ? null : `s${n - 1}`, 0, 10),
    )
    expect(criticalPath(buildTree(chain)).selfMs.size).toBe(100_000)
  })

  test('adds up to the duration of the trace for any spans', () => {
    const someSpan = fc.record({
      parent: fc.nat(12),
      fromMs: fc.nat(100),
      lengthMs: fc.nat(60),
    })
    fc.assert(
      fc.property(fc.array(someSpan, { minLength: 1, maxLength: 10 }), (drawn) => {
        const spans = drawn.map(({ parent, fromMs, lengthMs }, n) =>
          span(`s${n}`, parent === 12 ? null : `s${parent}`, fromMs, fromMs + lengthMs),
        )
        const { selfMs, idleMs } = criticalPath(buildTree(spans))
        const sum = [...selfMs.values()].reduce((total, ms) => total + ms, idleMs)
        const first = Math.min(...drawn.map(({ fromMs }) => fromMs))
        const last = Math.max(...drawn.map(({ fromMs, lengthMs }) => fromMs + lengthMs))
        expect(sum).toBeCloseTo(last - first, 6)
        expect([...selfMs.values()].every((ms) => ms >= 0)).toBe(true)
      }),
    )
  })
})
