/*
 * Pairs two lists so that the sum of the weights is as large as possible (Hungarian algorithm). The time is cubic.
 */

/** For each row the column it is paired with, or -1. Weights are from 0 to 1; pairs of weight 0 are left out. */
export function assign(weights: readonly (readonly number[])[]): number[] {
  const rows = weights.length
  const columns = weights[0]?.length ?? 0
  const size = Math.max(rows, columns)
  const cost = (row: number, column: number) => 1 - (weights[row]?.[column] ?? 0)
  const rowPotential = new Float64Array(size + 1)
  const columnPotential = new Float64Array(size + 1)
  /** By column, from 1: its row, from 1. */
  const rowOf = new Int32Array(size + 1)
  for (let row = 1; row <= size; row++)
    augment(row, { size, cost, rowPotential, columnPotential, rowOf })
  const paired = Array.from({ length: rows }, () => -1)
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column]! - 1
    if (row < rows && weights[row]![column - 1]! > 0) paired[row] = column - 1
  }
  return paired
}

interface State {
  readonly size: number
  readonly cost: (row: number, column: number) => number
  readonly rowPotential: Float64Array
  readonly columnPotential: Float64Array
  readonly rowOf: Int32Array
}

/** Adds a row along the cheapest path of changed pairs. */
function augment(start: number, { size, cost, rowPotential, columnPotential, rowOf }: State): void {
  const lowest = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY)
  const cameFrom = new Int32Array(size + 1)
  const isUsed = new Uint8Array(size + 1)
  let column = 0
  rowOf[0] = start
  do {
    isUsed[column] = 1
    const row = rowOf[column]!
    let delta = Number.POSITIVE_INFINITY
    let next = 0
    for (let other = 1; other <= size; other++) {
      if (isUsed[other] === 1) continue
      const reduced = cost(row - 1, other - 1) - rowPotential[row]! - columnPotential[other]!
      if (reduced < lowest[other]!) {
        lowest[other] = reduced
        cameFrom[other] = column
      }
      if (lowest[other]! < delta) {
        delta = lowest[other]!
        next = other
      }
    }
    for (let other = 0; other <= size; other++) {
      if (isUsed[other] === 1) {
        rowPotential[rowOf[other]!]! += delta
        columnPotential[other]! -= delta
      } else lowest[other]! -= delta
    }
    column = next
  } while (rowOf[column] !== 0)
  for (; column !== 0; column = cameFrom[column]!) rowOf[column] = rowOf[cameFrom[column]!]!
}
