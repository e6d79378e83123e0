import { describe, expect, it } from 'vitest'
import { isWorthBuilding } from './arriving-spans.ts'

/** The span counts at which a tree is built while pages arrive. */
function built(count: number, page: number): readonly number[] {
  const counts = [0]
  for (let loaded = 0; loaded < count; ) {
    loaded = Math.min(count, loaded + page)
    if (isWorthBuilding(counts.at(-1) ?? 0, loaded, loaded === count)) counts.push(loaded)
  }
  return counts.slice(1)
}

describe('isWorthBuilding', () => {
  it.each([
    { count: 12, page: 2000, expected: [12] },
    { count: 3000, page: 2000, expected: [2000, 3000] },
    { count: 10_000, page: 2000, expected: [2000, 6000, 10_000] },
    { count: 50_000, page: 2000, expected: [2000, 6000, 18_000, 50_000] },
  ])('builds the first and the last page and few in between: $count spans', (one) => {
    expect(built(one.count, one.page)).toEqual(one.expected)
  })

  it('builds after loading has settled, even with fewer spans', () => {
    expect(isWorthBuilding(500, 400, true)).toBe(true)
    expect(isWorthBuilding(500, 500, true)).toBe(true)
  })
})
