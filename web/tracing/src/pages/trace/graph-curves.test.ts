import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, toBoxes } from './graph-boxes.ts'
import { placeLabels, toCurve } from './graph-curves.ts'
import { computeLayout } from './graph-layout.ts'

const box = (x: number, y: number): Box => ({ x, y, width: 100, height: 40 })

test('the label of an edge is next to its callee, or next to its caller on request', () => {
  const [from, to] = [box(0, 0), box(300, 0)]
  const curve = toCurve(from, to)
  const place = (isAtStart: boolean) =>
    placeLabels([{ id: 'one', text: '×2', curve, isAtStart }], [from, to]).get('one')?.x ?? 0
  expect(place(false)).toBeGreaterThan(240)
  expect(place(false)).toBeLessThan(300)
  expect(place(true)).toBeGreaterThan(100)
  expect(place(true)).toBeLessThan(160)
})

test('labels cover neither each other nor nodes, in any graph', () => {
  const edge = fc.record({
    from: fc.nat(11),
    to: fc.nat(11),
    count: fc.integer({ min: 2, max: 99_999 }),
  })
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 40 }), (drawn) => {
      const ids = Array.from({ length: 12 }, (_, n) => String(n))
      const edges = drawn
        .filter(({ from, to }) => from !== to)
        .map(({ from, to, count }, n) => ({ id: `e${n}`, from: `${from}`, to: `${to}`, count }))
      const boxes = toBoxes(
        ids.map((id) => ({ id, name: id })),
        computeLayout(ids, edges),
      )
      const nodes = ids.map(boxes.of)
      const labels = edges.map(({ id, from, to, count }) => ({
        ...{ id, text: `×${count}` },
        curve: toCurve(boxes.of(from), boxes.of(to)),
      }))
      const placed = placeLabels(labels, nodes)
      // Half the height of the text, without its margin.
      const rows = [...placed.values()].map(({ x, y }) => ({
        x: x - 6,
        y: y - 6,
        width: 12,
        height: 12,
      }))
      for (const [n, one] of rows.entries()) {
        for (const other of [...nodes, ...rows.slice(n + 1)]) {
          const isApart =
            one.x + one.width <= other.x ||
            other.x + other.width <= one.x ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y
          expect(isApart).toBe(true)
        }
      }
    }),
    { numRuns: 50 },
  )
})
