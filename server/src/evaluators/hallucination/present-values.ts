import type { JsonValue } from '../../domain/trace-view/canonical-json.ts'
import { findQuantities, type Quantity } from './quantities.ts'

/*
 * The values that a trace contains, sorted, so that a value is found by binary search: itself, after rounding or in
 * another unit, or computed from two others.
 */

const valuesMax = 50_000
/** Of more values, so many pairs exist that almost every number is a sum of two. */
const pairedMax = 60

/** Factors between units that are often converted: percent, thousands, bytes, time. */
const factors = [100, 1000, 1e6, 1e9, 1024, 1024 ** 2, 1024 ** 3, 60, 3600, 24, 7, 12]
const multipliers = [1, ...factors, ...factors.map((factor) => 1 / factor)]

export class PresentValues {
  readonly #numbers: Float64Array
  readonly #paired: Float64Array
  readonly #dates: ReadonlySet<number>
  readonly #times: ReadonlySet<number>

  constructor(texts: Iterable<string>, results: Iterable<JsonValue | undefined>) {
    const numbers = new Set<number>()
    const dates = new Set<number>()
    const times = new Set<number>()
    for (const text of texts) {
      if (numbers.size > valuesMax) break
      for (const { kind, value } of findQuantities(text)) {
        if (kind === 'date') addDate(dates, numbers, value)
        else if (kind === 'time') times.add(value)
        else numbers.add(Math.abs(value))
      }
    }
    const written = [...numbers]
    for (const result of results) addAggregates(result, numbers)
    this.#numbers = Float64Array.from(numbers).sort()
    this.#paired = Float64Array.from(written.length > pairedMax ? [] : written).sort()
    this.#dates = dates
    this.#times = times
  }

  get isEmpty(): boolean {
    return this.#numbers.length + this.#dates.size + this.#times.size === 0
  }

  supports(quantity: Quantity): boolean {
    const { kind, value } = quantity
    if (kind === 'date') return this.#dates.has(value) || this.#dates.has(value % 10_000)
    if (kind === 'time') return this.#times.has(value) || this.#times.has((value + 720) % 1440)
    const target = Math.abs(value)
    return this.#isPresent(target, quantity.tolerance) || this.#isComputed(quantity)
  }

  #isPresent(target: number, tolerance: number): boolean {
    return multipliers.some((multiplier) =>
      contains(this.#numbers, target * multiplier, tolerance * multiplier),
    )
  }

  /** A sum, difference or ratio of two values, or a percentage of one. */
  #isComputed({ kind, value, tolerance }: Quantity): boolean {
    const target = Math.abs(value)
    const values = this.#paired
    return values.some((one) => {
      const isSum =
        contains(values, target - one, tolerance) || contains(values, target + one, tolerance)
      if (isSum) return true
      if (one === 0) return false
      // target = other / one; in percent also the change from one to the other.
      const scale = kind === 'percent' ? one / 100 : one
      const isRatio = contains(values, target * scale, tolerance * scale)
      const isChange =
        kind === 'percent' &&
        (contains(values, one + target * scale, tolerance * scale) ||
          contains(values, one - target * scale, tolerance * scale))
      return isRatio || isChange || contains(values, (target / one) * 100, (tolerance / one) * 100)
    })
  }
}

/** Also without its year, and its year as a number. */
function addDate(dates: Set<number>, numbers: Set<number>, value: number): void {
  dates.add(value)
  dates.add(value % 10_000)
  if (value >= 10_000) numbers.add(Math.floor(value / 10_000))
  numbers.add(value % 100)
}

const depthMax = 20

/** The length of each list, and the sum and mean of each column of numbers. */
function addAggregates(value: unknown, numbers: Set<number>, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth === depthMax) return
  if (numbers.size > valuesMax) return
  if (Array.isArray(value)) {
    numbers.add(value.length)
    for (const { sum, count } of columnsOf(value)) {
      numbers.add(Math.abs(sum)).add(Math.abs(sum / count))
    }
  }
  for (const item of Object.values(value)) addAggregates(item, numbers, depth + 1)
}

interface Column {
  readonly sum: number
  readonly count: number
}

/** The numbers in a list itself, and in each member of its objects. */
function columnsOf(list: readonly unknown[]): Iterable<Column> {
  const columns = new Map<string, Column>()
  for (const item of list) {
    const members: [string, unknown][] =
      typeof item === 'object' && item !== null ? Object.entries(item) : [['', item]]
    for (const [name, member] of members) {
      if (typeof member !== 'number') continue
      const { sum, count } = columns.get(name) ?? { sum: 0, count: 0 }
      columns.set(name, { sum: sum + member, count: count + 1 })
    }
  }
  return columns.values()
}

/** Whether a sorted list has a value this close; binary arithmetic is not exact. */
function contains(sorted: Float64Array, target: number, tolerance: number): boolean {
  const margin = tolerance + Math.abs(target) * 1e-9
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < target - margin) low = middle + 1
    else high = middle
  }
  return low < sorted.length && sorted[low]! <= target + margin
}
