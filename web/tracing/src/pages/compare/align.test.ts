import type { ListedSpan } from '@assay/contract/traces.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { buildTree, type SpanTree } from '../../spans/span-tree.ts'
import { align } from './align.ts'
import { countDifferences, differenceOf, differingRows, isDifferent } from './differences.ts'

const never = () => false

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
    const sign = row.a === -1 ? '+' : row.b === -1 ? '-' : '='
    const node = a.nodes[row.a] ?? b.nodes[row.b]
    return `${sign}${' '.repeat(row.depth)}${node?.span.name}`
  })
}

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
        const sides = { a: rows.map((row) => row.a), b: rows.map((row) => row.b) }
        const all = (one: SpanTree) => one.nodes.map((_, at) => at)
        expect(sides.a.filter((at) => at !== -1).sort((x, y) => x - y)).toEqual(all(a))
        expect(sides.b.filter((at) => at !== -1).sort((x, y) => x - y)).toEqual(all(b))
        for (const [at, row] of rows.entries()) expect(row.parent).toBeLessThan(at)
      }),
    )
  })

  test('have no differences if they are the same trace', () => {
    fc.assert(
      fc.property(someTree, (one) => {
        const rows = align(one, one)
        const differences = rows.map((row) => differenceOf(row, one, one, never))
        expect(differences.some(isDifferent)).toBe(false)
        expect(differingRows(rows, differences)).toEqual([])
      }),
    )
  })

  test('are mirrored when swapped', () => {
    const pairs = (one: SpanTree, other: SpanTree) => align(one, other).map(({ a, b }) => [a, b])
    const sorted = (rows: readonly (readonly number[])[]) => rows.map(String).sort()
    fc.assert(
      fc.property(someTree, someTree, (a, b) => {
        const mirrored = pairs(b, a).map(([one, other]) => [other as number, one as number])
        expect(sorted(mirrored)).toEqual(sorted(pairs(a, b)))
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
  const row = { a: 0, b: 0, depth: 0, parent: -1 }
  const base = { latency_ms: 100, tokens_in: 5, cost_usd: 0.1 }

  test.each<[string, Partial<ListedSpan>, string | undefined]>([
    ['no change', {}, undefined],
    ['a little slower', { latency_ms: 119 }, undefined],
    ['much slower', { latency_ms: 130 }, 'duration'],
    ['an error', { status: 'ERROR' }, 'status'],
    ['more tokens', { tokens_in: 6 }, 'tokens'],
    ['an unknown cost', { cost_usd: null }, 'cost'],
    ['another name', { name: 'other' }, 'isRenamed'],
  ])('%s', (_name, changes, expected) => {
    const a = tree(['run'], base)
    const b = tree(['run'], { ...base, ...changes })
    const flags = differenceOf(row, a, b, never)
    const different = Object.entries(flags).filter(([, value]) => value === true)
    expect(different.map(([name]) => name)).toEqual(expected === undefined ? [] : [expected])
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
    const rows = align(a, b)
    const differences = rows.map((one) => differenceOf(one, a, b, ({ a: at }) => at === 2))
    expect(countDifferences(rows, differences, a, b)).toEqual({
      onlyA: 1,
      onlyB: 0,
      slower: 0,
      faster: 1,
      costlier: 1,
      cheaper: 0,
      status: 1,
      output: 1,
    })
  })

  test('are listed with their ancestors', () => {
    const a = tree(['run', ' plan', '  ask', ' act', '  find'])
    const b = tree(['run', ' plan', '  ask', ' act', '  guess'])
    const rows = align(a, b)
    const differences = rows.map((one) => differenceOf(one, a, b, never))
    expect(differingRows(rows, differences).map((at) => rows[at]?.depth)).toEqual([0, 1, 2, 2])
  })
})
