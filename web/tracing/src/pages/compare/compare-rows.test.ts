import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { buildTree } from '../../spans/span-tree.ts'
import { align } from './align.ts'
import { rowId, visibleRows } from './compare-rows.ts'

const a = buildTree([
  sampleSpan('run', null),
  sampleSpan('plan', 'run'),
  sampleSpan('ask', 'plan'),
  sampleSpan('act', 'run'),
])
const b = buildTree([sampleSpan('other run', null), sampleSpan('more', 'other run')])
const comparison = { a, b, aligned: align(a, b) }
const visible = (closed: readonly string[], included?: readonly number[]) =>
  visibleRows(comparison, included, new Set(closed)).map((at) => {
    const row = comparison.aligned[at]
    return row === undefined ? '' : rowId(row, comparison)
  })

describe('the rows of a comparison', () => {
  test('are identified by the span in A, or in B if A has none', () => {
    expect(visible([])).toEqual(['a:run', 'a:plan', 'a:ask', 'a:act', 'b:more'])
  })

  test('are hidden below a collapsed row, at any depth', () => {
    expect(visible(['a:plan'])).toEqual(['a:run', 'a:plan', 'a:act', 'b:more'])
    expect(visible(['a:run'])).toEqual(['a:run'])
  })

  test('can be limited to a selection, with collapsed rows still hidden', () => {
    expect(visible([], [0, 1, 2])).toEqual(['a:run', 'a:plan', 'a:ask'])
    expect(visible(['a:plan'], [0, 1, 2])).toEqual(['a:run', 'a:plan'])
  })
})
