import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { buildTree, type SpanTree } from '../../spans/span-tree.ts'
import {
  type CollapseState,
  collapseAll,
  expandAll,
  initiallyCollapsed,
  longestRun,
  reveal,
  treeRows,
} from './tree-rows.ts'

/** A root with `before`, `run` siblings of the same name, and `after`; the third sibling has a child. */
function treeWithRun(run: number): SpanTree {
  return buildTree([
    sampleSpan('root', null),
    sampleSpan('before', 'root'),
    ...Array.from({ length: run }, (_, at) => sampleSpan(`e${at}`, 'root', { name: 'embed' })),
    sampleSpan('inner', 'e2'),
    sampleSpan('after', 'root', { name: 'embed later' }),
  ])
}

function drawn(tree: SpanTree, collapse: CollapseState): readonly string[] {
  return treeRows(tree, collapse).map((row) => {
    const text = row.is === 'group' ? `${row.id} ×${row.members.length}` : row.id
    return `${' '.repeat(row.depth)}${text}`
  })
}

describe('the rows of a tree', () => {
  test('are all spans and groups after Expand all', () => {
    const tree = treeWithRun(longestRun + 1)
    const rows = treeRows(tree, expandAll(tree))
    expect(rows).toHaveLength(tree.nodes.length + 1)
    expect(rows.filter((row) => row.is === 'group' || row.isOpen).map(({ id }) => id)).toEqual([
      'root',
      'group:e0',
      'e2',
    ])
  })

  test('collapse a long run of siblings with the same name into one row', () => {
    const rows = drawn(treeWithRun(longestRun + 1), initiallyCollapsed)
    expect(rows).toEqual(['root', ' before', ' group:e0 ×21', ' after'])
  })

  test('list the spans of a run up to the limit one by one', () => {
    expect(
      treeRows(treeWithRun(longestRun), initiallyCollapsed).some(({ is }) => is === 'group'),
    ).toBe(false)
  })

  test('show the members of an expanded group one level deeper, with their children', () => {
    const open = { collapsedSpans: new Set<string>(), expandedGroups: new Set(['group:e0']) }
    const rows = drawn(treeWithRun(longestRun + 1), open)
    expect(rows.slice(1, 8)).toEqual([
      ' before',
      ' group:e0 ×21',
      '  e0',
      '  e1',
      '  e2',
      '   inner',
      '  e3',
    ])
    expect(rows.at(-1)).toBe(' after')
  })

  test('group roots too, as in a trace of orphans', () => {
    const tree = buildTree(
      Array.from({ length: 50 }, (_, at) => sampleSpan(`o${at}`, 'gone', { name: 'lost' })),
    )
    expect(drawn(tree, initiallyCollapsed)).toEqual(['group:o0 ×50'])
  })

  test('hide the children of a closed span', () => {
    const closed = { collapsedSpans: new Set(['root']), expandedGroups: new Set<string>() }
    expect(drawn(treeWithRun(3), closed)).toEqual(['root'])
  })

  test('include all spans of a chain of a hundred thousand', () => {
    const chain = Array.from({ length: 100_000 }, (_, at) =>
      sampleSpan(`s${at}`, at === 0 ? null : `s${at - 1}`),
    )
    expect(treeRows(buildTree(chain), initiallyCollapsed)).toHaveLength(100_000)
  })
})

describe('revealing a span', () => {
  const tree = treeWithRun(longestRun + 5)

  test.each(['inner', 'e7', 'after', 'root'])('shows %s in a fully collapsed tree', (id) => {
    const rows = treeRows(tree, reveal(tree, collapseAll(tree), id))
    expect(rows.map((row) => row.id)).toContain(id)
  })

  test('leaves the span itself collapsed', () => {
    const rows = treeRows(tree, reveal(tree, collapseAll(tree), 'e2'))
    expect(rows.map((row) => row.id)).not.toContain('inner')
  })

  test('changes nothing if it is visible already or does not exist', () => {
    expect(reveal(tree, initiallyCollapsed, 'before')).toBe(initiallyCollapsed)
    expect(reveal(tree, initiallyCollapsed, 'nowhere')).toBe(initiallyCollapsed)
  })
})
