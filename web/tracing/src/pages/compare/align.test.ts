import type { ListedSpan } from '@assay/contract/traces.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { buildTree, type SpanTree } from '../../spans/span-tree.ts'
import { align } from './align.ts'
import {
  type ComparedSpan,
  countDifferences,
  type Difference,
  findDifferences,
  onlyDifferent,
} from './differences.ts'

/** A tree from lines like `name` and ` child`; each space is one level. */
function tree(lines: readonly string[], changes: Partial<ListedSpan> = {}): SpanTree {
  const path: string[] = []
  return buildTree(
    lines.map((line, at) => {
      const depth = line.length - line.trimStart().length
      path.length = depth
      path.push(`s${at}`)
      return sampleSpan(`s${at}`, path[depth - 1] ?? null, { name: line.trim(), ...changes })
    }),
  )
}

function drawn(a: SpanTree, b: SpanTree): readonly string[] {
  return align(a, b).map((row) => {
    const sign = row.a === undefined ? '+' : row.b === undefined ? '-' : '='
    return `${sign}${' '.repeat(row.depth)}${(row.a ?? row.b)?.name}`
  })
}

const compared = (a: SpanTree, b: SpanTree): readonly ComparedSpan[] =>
  align(a, b).map((row) => ({ ...row, differences: findDifferences(row, false) }))

describe('aligned traces', () => {
  test.each([
    ['identical', ['run', ' ask', ' find'], ['run', ' ask', ' find'], ['=run', '= ask', '= find']],
    [
      'an extra step in between',
      ['run', ' ask', ' answer'],
      ['run', ' ask', ' find', '  embed', ' answer'],
      ['=run', '= ask', '+ find', '+  embed', '= answer'],
    ],
    [
      'a replaced step',
      ['run', ' ask', ' find', ' answer'],
      ['run', ' ask', ' guess', ' answer'],
      ['=run', '= ask', '- find', '+ guess', '= answer'],
    ],
    ['a renamed root', ['run 1', ' ask'], ['run 2', ' ask'], ['=run 1', '= ask']],
    ['one of two roots removed', ['one', 'two'], ['two'], ['-one', '=two']],
    ['an empty trace', ['run', ' ask'], [], ['-run', '- ask']],
  ])('%s', (_name, a, b, expected) => {
    expect(drawn(tree(a), tree(b))).toEqual(expected)
  })

  const someTree = fc
    .array(fc.record({ parent: fc.nat(9), name: fc.constantFrom('ask', 'find', 'answer') }), {
      maxLength: 12,
    })
    .map((drafts) =>
      buildTree(
        drafts.map(({ parent, name }, at) =>
          sampleSpan(`s${at}`, parent < at ? `s${parent}` : null, { name }),
        ),
      ),
    )

  test('contain every span of both exactly once, parents before children', () => {
    fc.assert(
      fc.property(someTree, someTree, (a, b) => {
        const rows = align(a, b)
        for (const [side, tree] of [
          ['a', a],
          ['b', b],
        ] as const) {
          const spans = rows.flatMap((row) => row[side] ?? [])
          expect(spans).toEqual(tree.order.map((at) => tree.nodes[at]?.span))
        }
        for (const [at, row] of rows.entries()) {
          expect(row.depth).toBeLessThanOrEqual((rows[at - 1]?.depth ?? -1) + 1)
        }
      }),
    )
  })

  test('are identified by the span in A, or in B if A does not have it', () => {
    const a = buildTree([sampleSpan('run', null), sampleSpan('ask', 'run')])
    const b = buildTree([sampleSpan('other run', null), sampleSpan('more', 'other run')])
    expect(align(a, b).map(({ id }) => id)).toEqual(['a:run', 'a:ask', 'b:more'])
  })

  test('have no differences if they are the same trace', () => {
    fc.assert(
      fc.property(someTree, (one) => {
        const rows = compared(one, one)
        expect(countDifferences(rows)).toEqual({})
        expect(onlyDifferent(rows)).toEqual([])
      }),
    )
  })

  test('are mirrored when swapped', () => {
    const pairs = (one: SpanTree, other: SpanTree) =>
      align(one, other).map(({ a, b }) => [a?.span_id, b?.span_id])
    fc.assert(
      fc.property(someTree, someTree, (a, b) => {
        const mirrored = pairs(b, a).map(([one, other]) => [other, one])
        expect(mirrored.map(String).sort()).toEqual(pairs(a, b).map(String).sort())
      }),
    )
  })

  test('can have ten thousand spans each: flat, deep and dissimilar', () => {
    const flat = (word: string) => tree(['run', ...Array.from({ length: 9999 }, () => ` ${word}`)])
    const mixed = (step: number) =>
      tree(['run', ...Array.from({ length: 9999 }, (_, at) => ` w${(at * step) % 997}`)])
    const chain = buildTree(
      Array.from({ length: 10_000 }, (_, at) =>
        sampleSpan(`s${at}`, at === 0 ? null : `s${at - 1}`),
      ),
    )
    expect(align(flat('a'), flat('b'))).toHaveLength(19_999)
    expect(align(chain, chain)).toHaveLength(10_000)
    expect(align(mixed(7), mixed(11)).length).toBeLessThan(19_999)
  })
})

describe('differences', () => {
  const base = { latency_ms: 100, tokens_in: 5, cost_usd: 0.1 }

  test.each<[string, Partial<ListedSpan>, readonly Difference[]]>([
    ['no change', {}, []],
    ['a little slower', { latency_ms: 119 }, []],
    ['much slower', { latency_ms: 130 }, ['slower']],
    ['much faster', { latency_ms: 70 }, ['faster']],
    ['an error', { status: 'ERROR' }, ['status']],
    ['more tokens', { tokens_in: 6 }, ['tokens']],
    ['a higher cost', { cost_usd: 0.2 }, ['costlier']],
    ['a lower cost', { cost_usd: 0 }, ['cheaper']],
    ['an unknown cost', { cost_usd: null }, ['unpriced']],
    ['another name', { name: 'other' }, ['renamed']],
    ['another kind', { kind: 'tool' }, ['renamed']],
  ])('%s', (_name, changes, expected) => {
    const a = sampleSpan('run', null, base)
    expect(findDifferences({ a, b: { ...a, ...changes } }, false)).toEqual(expected)
  })

  test('of a span in one trace only are that', () => {
    const span = sampleSpan('run', null, base)
    expect(findDifferences({ a: span, b: undefined }, false)).toEqual(['missing'])
    expect(findDifferences({ a: undefined, b: span }, false)).toEqual(['added'])
  })

  test('include the output if it is known to differ', () => {
    const span = sampleSpan('run', null, base)
    expect(findDifferences({ a: span, b: span }, true)).toEqual(['output'])
  })

  test('are counted from A to B, and an unknown cost is neither costlier nor cheaper', () => {
    const a = buildTree([
      sampleSpan('r', null, { name: 'run', latency_ms: 500, cost_usd: 1 }),
      sampleSpan('x', 'r', { name: 'gone' }),
      sampleSpan('y', 'r', { name: 'ask', cost_usd: 1 }),
    ])
    const b = buildTree([
      sampleSpan('r', null, { name: 'run', latency_ms: 100, cost_usd: 2 }),
      sampleSpan('y', 'r', { name: 'ask', status: 'ERROR' }),
    ])
    expect(countDifferences(compared(a, b))).toEqual({
      missing: 1,
      faster: 1,
      costlier: 1,
      unpriced: 1,
      status: 1,
    })
  })

  test('are listed with their ancestors', () => {
    const a = tree(['run', ' plan', '  ask', ' act', '  find', '   look'])
    const b = tree(['run', ' plan', '  ask', ' act', '  guess', '   look'])
    const rows = onlyDifferent(compared(a, b))
    expect(rows.map(({ a: one, b: other }) => (one ?? other)?.name)).toEqual([
      'run',
      'act',
      'find',
      'look',
      'guess',
      'look',
    ])
  })
})
