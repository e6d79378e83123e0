import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../test/sample-span.ts'
import { buildTree, listAncestors, type SpanTree } from './span-tree.ts'

const started_at = '2026-11-23T08:00:00.000Z'

/** `[id, parent]` pairs as a tree. */
function treeOf(pairs: readonly (readonly [string, string | null])[]): SpanTree {
  return buildTree(pairs.map(([id, parent]) => sampleSpan(id, parent)))
}

function outline(tree: SpanTree): readonly string[] {
  return tree.order.map((at) => {
    const node = tree.nodes[at]
    const odd = node?.anomaly === undefined ? '' : ` (${node.anomaly})`
    return `${' '.repeat(node?.depth ?? 0)}${node?.span.span_id}${odd}`
  })
}

describe('the tree of a trace', () => {
  test('keeps the span order among siblings, regardless of arrival order', () => {
    const tree = treeOf([
      ['b', 'root'],
      ['root', null],
      ['a', 'root'],
      ['b1', 'b'],
    ])
    expect(outline(tree)).toEqual(['root', ' b', '  b1', ' a'])
  })

  test('shows an orphan as a marked root', () => {
    const tree = treeOf([
      ['root', null],
      ['lost', 'gone'],
      ['child', 'lost'],
    ])
    expect(outline(tree)).toEqual(['root', 'lost (orphan)', ' child'])
  })

  test('cuts a cycle at its first span and shows its spans once', () => {
    const tree = treeOf([
      ['hanging', 'b'],
      ['a', 'c'],
      ['b', 'a'],
      ['c', 'b'],
      ['own', 'own'],
    ])
    expect(outline(tree)).toEqual(['a (cycle)', ' b', '  hanging', '  c', 'own (cycle)'])
  })

  test('draws a root that was sent without an end to the last end within it', () => {
    const at = (ms: number) => ({ ended_at: new Date(Date.parse(started_at) + ms).toISOString() })
    const open = { started_at, ...at(0), latency_ms: 0 }
    const tree = buildTree([
      sampleSpan('open', null, open),
      sampleSpan('short', 'open', { started_at, ...at(500) }),
      sampleSpan('long', 'short', { started_at, ...at(2000) }),
      sampleSpan('instant', null, open),
      sampleSpan('ended', null, { started_at, ...at(100), latency_ms: 100 }),
      sampleSpan('later', 'ended', { started_at, ...at(900) }),
    ])
    const drawn = tree.roots.map((root) => {
      const { span, isOpen } = tree.nodes[root]!
      return [span.span_id, isOpen, tree.endMs[root]! - tree.startMs[root]!]
    })
    expect(drawn).toEqual([
      ['open', true, 2000],
      ['instant', false, 0],
      ['ended', false, 100],
    ])
  })

  test('counts the descendants of each span and the failed ones among them', () => {
    const failed = { status: 'ERROR' } as const
    const tree = buildTree([
      sampleSpan('root', null, failed),
      sampleSpan('a', 'root'),
      sampleSpan('b', 'a', failed),
      sampleSpan('c', 'a', failed),
    ])
    const counts = tree.nodes.map(({ below, errorsBelow }) => [below, errorsBelow])
    expect(counts).toEqual([
      [3, 2],
      [2, 2],
      [0, 0],
      [0, 0],
    ])
  })

  test('contains every span exactly once below its parent, for any parents', () => {
    const ids = fc.integer({ min: 1, max: 30 })
    const forest = ids.chain((count) =>
      fc.array(fc.option(fc.nat({ max: count + 3 }), { nil: null }), {
        minLength: count,
        maxLength: count,
      }),
    )
    fc.assert(
      fc.property(forest, (parents) => {
        const tree = buildTree(
          parents.map((parent, at) => sampleSpan(`s${at}`, parent === null ? null : `s${parent}`)),
        )
        expect(tree.order.toSorted((one, other) => one - other)).toEqual(parents.map((_, at) => at))
        for (const [at, node] of tree.nodes.entries()) {
          const parent = tree.nodes[node.parent]
          expect(node.depth).toBe(parent === undefined ? 0 : parent.depth + 1)
          expect(parent?.children ?? tree.roots).toContain(at)
          if (parent !== undefined) expect(node.span.parent_span_id).toBe(parent.span.span_id)
        }
      }),
    )
  })

  test('handles a chain and a cycle of a hundred thousand spans', () => {
    const count = 100_000
    const chain = Array.from({ length: count }, (_, at) =>
      sampleSpan(`s${at}`, at === 0 ? null : `s${at - 1}`),
    )
    const straight = buildTree(chain)
    expect(straight.nodes.at(-1)?.depth).toBe(count - 1)
    expect(straight.nodes[0]?.below).toBe(count - 1)
    expect(listAncestors(straight, count - 1)).toHaveLength(count - 1)
    const circle = buildTree(chain.with(0, sampleSpan('s0', `s${count - 1}`)))
    expect(circle.roots).toEqual([0])
    expect(circle.order).toHaveLength(count)
  })
})
