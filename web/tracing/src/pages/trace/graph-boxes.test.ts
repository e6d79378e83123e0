import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBoxes } from './graph-boxes.ts'
import { computeLayout } from './graph-layout.ts'

const chain = (...names: readonly string[]) => {
  const nodes = names.map((name, at) => ({ id: `${at}`, name }))
  const edges = nodes.slice(1).map(({ id }, at) => ({ from: `${at}`, to: id }))
  const layout = computeLayout(
    nodes.map(({ id }) => id),
    edges,
  )
  return toBoxes(nodes, layout)
}

describe('the box of a node', () => {
  test('is wide enough for a name of 35 letters, and wider for ideographs', () => {
    const boxes = chain('a', 'search_customer_orders_by_reference', '注文を検索する関数の名前')
    const widths = ['0', '1', '2'].map((id) => boxes.of(id).width)
    expect(widths[0]).toBeLessThan(140)
    expect(widths[1]).toBeGreaterThan(35 * 7)
    expect(widths[2]).toBeGreaterThan(12 * 12)
  })

  test('has a limit, beyond which the name gets an ellipsis', () => {
    const boxes = chain('x'.repeat(100), 'x'.repeat(1000))
    expect(boxes.of('0').width).toBe(boxes.of('1').width)
  })

  test('overlaps no other box and is inside the drawing', () => {
    const name = fc.string({ maxLength: 80 })
    const edge = fc.tuple(fc.nat(11), fc.nat(11))
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 12 }),
        fc.array(edge),
        (names, pairs) => {
          const nodes = names.map((each, at) => ({ id: `${at}`, name: each }))
          const ids = nodes.map(({ id }) => id)
          const edges = pairs
            .filter(([from, to]) => from !== to && from < ids.length && to < ids.length)
            .map(([from, to]) => ({ from: `${from}`, to: `${to}` }))
          const drawing = toBoxes(nodes, computeLayout(ids, edges))
          const boxes = ids.map((id) => drawing.of(id))
          for (const [at, one] of boxes.entries()) {
            expect(Math.min(one.x, one.y)).toBeGreaterThanOrEqual(0)
            expect(one.x + one.width).toBeLessThanOrEqual(drawing.width)
            expect(one.y + one.height).toBeLessThanOrEqual(drawing.height)
            for (const other of boxes.slice(at + 1)) {
              const isApart =
                one.x + one.width <= other.x ||
                other.x + other.width <= one.x ||
                one.y + one.height <= other.y ||
                other.y + other.height <= one.y
              expect(isApart).toBe(true)
            }
          }
        },
      ),
    )
  })
})
