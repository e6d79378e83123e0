/*
 * A seeded random generator.
 */

export interface Random {
  /** An integer from `min` to `max`, both inclusive. */
  whole(min: number, max: number): number
  /** True with the given probability. */
  chance(part: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** Lower-case hexadecimal, never all zero. */
  hex(digits: number): string
}

/** Mulberry32: small, and random enough for data that only has to look natural. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    whole,
    chance: (part) => next() < part,
    pick: (items) => items[whole(0, items.length - 1)] ?? items[0],
    hex(digits) {
      const rest = Array.from({ length: digits - 1 }, () => whole(0, 15).toString(16)).join('')
      return whole(1, 15).toString(16) + rest
    },
  }
}
