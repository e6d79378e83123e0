import { describe, expect, test } from 'vitest'
import { type ColoredBar, minimapCells, minimapHeight } from './minimap-cells.ts'

const bar = (from: number, to: number, color = 1): ColoredBar => ({
  from,
  to,
  color,
  isError: color === 9,
})

function drawn(bars: readonly ColoredBar[], width: number, height: number): readonly string[] {
  const cells = minimapCells(bars, { width, height, maxRowHeight: 4 })
  const line = (at: number) => [...cells.subarray(at * width, (at + 1) * width)].join('')
  return Array.from({ length: height }, (_, at) => line(at))
}

test('a small trace has a low minimap, filled by its rows', () => {
  expect([1, 2, 5, 10, 10_000].map(minimapHeight)).toEqual([10, 10, 25, 48, 48])
})

describe('the cells of the minimap', () => {
  test('show each row at its position and time', () => {
    expect(drawn([bar(0, 1), bar(0.25, 0.75, 2)], 8, 2)).toEqual(['11111111', '00222200'])
  })

  test('limit the height of few rows and leave gaps between them', () => {
    expect(drawn([bar(0, 1), bar(0, 0.5, 2)], 4, 9)).toEqual([
      ...Array.from({ length: 3 }, () => '1111'),
      '0000',
      ...Array.from({ length: 3 }, () => '2200'),
      '0000',
      '0000',
    ])
  })

  test('show an instant, even at the very end', () => {
    expect(drawn([bar(0, 0), bar(1, 1)], 4, 2)).toEqual(['1000', '0001'])
  })

  test('show a single error among more rows than lines, wide enough to see', () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => bar(0, 1, at === 31_000 ? 9 : 1))
    rows[31_000] = bar(0.5, 0.5, 9)
    const lines = drawn(rows, 20, 50)
    expect(lines[31]).toBe('11111111119991111111')
    expect(lines.filter((line) => line.includes('9'))).toHaveLength(1)
  })

  test('are empty without rows', () => {
    expect(drawn([], 3, 1)).toEqual(['000'])
  })
})
