import { hash } from 'node:crypto'

/*
 * Counts and checksums of rows that do not depend on their order, because databases sort text differently.
 */

/** How many rows there are, and the sum of their hashes. */
export interface RowSum {
  readonly count: number
  /** A decimal number. */
  readonly checksum: string
}

const modulus = 1n << 128n

export interface RowSummer {
  add(row: unknown): void
  sum(): RowSum
}

export function openRowSummer(): RowSummer {
  let [count, checksum] = [0, 0n]
  return {
    add(row) {
      count += 1
      checksum += BigInt(`0x${hash('sha256', canonicalText(row), 'hex').slice(0, 32)}`)
    },
    sum: () => ({ count, checksum: String(checksum % modulus) }),
  }
}

export function addSums(a: RowSum, b: RowSum): RowSum {
  const checksum = (BigInt(a.checksum) + BigInt(b.checksum)) % modulus
  return { count: a.count + b.count, checksum: String(checksum) }
}

/** JSON with sorted keys, and large integers as text: equal for equal values. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === 'bigint') return String(each)
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
