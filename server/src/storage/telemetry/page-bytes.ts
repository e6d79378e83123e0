import { limits } from '@assay/contract/limits.ts'

/*
 * Pages end early before they exceed a number of bytes, so that the largest items do not make responses that take long
 * to build and much memory to hold.
 */

/** Of the member names of an item, and its numbers and times. */
const namesBytes = 800

/** How many of these items fit in a page: at most `limit`, and at least one. */
export function countFitting<Item>(
  items: readonly Item[],
  limit: number,
  sizeOf: (item: Item) => number,
): number {
  let bytes = 0
  for (const [index, item] of items.entries()) {
    bytes += sizeOf(item) + namesBytes
    if (index === limit || (index > 0 && bytes > limits.pageBytes.value)) return index
  }
  return items.length
}

/** The size of the texts in a row. */
export function textSize(row: readonly (string | number | null)[]): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}
