import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleRows } from './table-tree.ts'

interface Row {
  readonly name: string
  readonly depth: number
}

const rowsOf = (...lines: readonly string[]): readonly Row[] =>
  lines.map((line) => ({ name: line.trim(), depth: line.length - line.trimStart().length }))
const depthOf = ({ depth }: Row) => depth

describe('the visible rows of a tree', () => {
  const tree = rowsOf('run', ' plan', '  ask', '   look', ' act', 'next')
  test.each([
    ['nothing', [], ['run', 'plan', 'ask', 'look', 'act', 'next']],
    ['a branch', ['plan'], ['run', 'plan', 'act', 'next']],
    ['a root', ['run'], ['run', 'next']],
    ['a branch and one of its descendants', ['plan', 'ask'], ['run', 'plan', 'act', 'next']],
    ['a row without children', ['look'], ['run', 'plan', 'ask', 'look', 'act', 'next']],
  ])('with %s collapsed', (_situation, collapsed, expected) => {
    const visible = visibleRows(tree, depthOf, ({ name }) => collapsed.includes(name))
    expect(visible.map(({ name }) => name)).toEqual(expected)
  })

  test('are those without a collapsed ancestor', () => {
    const row = fc.record({ depth: fc.nat(4), isCollapsed: fc.boolean() })
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const isBelowCollapsed = (at: number) =>
          rows.some(
            ({ depth, isCollapsed }, above) =>
              isCollapsed &&
              above < at &&
              rows.slice(above + 1, at + 1).every((one) => one.depth > depth),
          )
        expect(
          visibleRows(
            rows,
            ({ depth }) => depth,
            ({ isCollapsed }) => isCollapsed,
          ),
        ).toEqual(rows.filter((_, at) => !isBelowCollapsed(at)))
      }),
    )
  })
})
