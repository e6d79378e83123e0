import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeLayout } from './graph-layout.ts'

const edges = (text: string) =>
  text.split(' ').map((edge) => ({ from: edge.charAt(0), to: edge.charAt(1) }))

function drawn(ids: string, lines: string): readonly string[] {
  const { places, layerCount } = computeLayout(ids.split(''), edges(lines))
  return Array.from({ length: layerCount }, (_, layer) =>
    [...places]
      .filter(([, place]) => place.layer === layer)
      .sort(([, one], [, other]) => one.row - other.row)
      .map(([id]) => id)
      .join(''),
  )
}

describe('the layers of a graph', () => {
  test.each([
    ['put callees below their callers', 'abc', 'ab ac', ['a', 'bc']],
    ['put a callee below the lowest of its callers', 'abc', 'ab ac bc', ['a', 'b', 'c']],
    ['cut a cycle at its back edge', 'abc', 'ab bc ca', ['a', 'b', 'c']],
    ['place connected nodes next to each other', 'abcd', 'ad bc', ['ab', 'dc']],
  ])('%s', (_name, ids, lines, expected) => {
    expect(drawn(ids, lines)).toEqual(expected)
  })

  test('place every node exactly once at a distinct position, for any edges', () => {
    const ids = 'abcdefgh'.split('')
    const someEdge = fc.record({ from: fc.constantFrom(...ids), to: fc.constantFrom(...ids) })
    fc.assert(
      fc.property(fc.array(someEdge, { maxLength: 20 }), (some) => {
        const { places } = computeLayout(ids, some)
        expect(new Set([...places.values()].map(({ layer, row }) => `${layer} ${row}`)).size).toBe(
          8,
        )
        expect(computeLayout(ids, some)).toEqual(computeLayout(ids, some))
      }),
    )
  })
})
