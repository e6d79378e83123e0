import { expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { buildTree } from '../../spans/span-tree.ts'
import { findNext, spansInError, spansNamed, toDisplayOrder } from './tree-find.ts'

// Storage order differs from display order: `late` is below `first`.
const tree = buildTree([
  sampleSpan('root', null),
  sampleSpan('first', 'root', { name: 'Search docs' }),
  sampleSpan('second', 'root', { name: 'search web', status: 'ERROR' }),
  sampleSpan('late', 'first', { name: 'research', status: 'ERROR' }),
])
const idsOf = (positions: readonly number[]) => positions.map((at) => tree.nodes[at]?.span.span_id)

test('a search matches part of a name, case-insensitively, from top to bottom', () => {
  expect(idsOf(spansNamed(tree, 'SEARCH'))).toEqual(['first', 'late', 'second'])
  expect(spansNamed(tree, '')).toEqual([])
})

test('error navigation goes down and up and wraps around at the ends', () => {
  const errors = spansInError(tree)
  const places = toDisplayOrder(tree)
  const go = (from: string | undefined, step: 1 | -1) => {
    const here = from === undefined ? undefined : tree.positionById.get(from)
    return tree.nodes[findNext(errors, places, here, step) ?? -1]?.span.span_id
  }
  expect(go(undefined, 1)).toBe('late')
  expect(go('root', 1)).toBe('late')
  expect(go('late', 1)).toBe('second')
  expect(go('second', 1)).toBe('late')
  expect(go('late', -1)).toBe('second')
  expect(go(undefined, -1)).toBe('second')
})
