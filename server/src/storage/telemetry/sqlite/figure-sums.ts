import type { FigureCell } from '../../../domain/figure-cells.ts'
import { quantileOf } from '../../../domain/latency-sketch.ts'
import { addFigures, type Figures, noFigures } from '../../../domain/trace-figures.ts'
import type { ShownFigures } from '../store.ts'

/*
 * Figures put together under what they are shown by.
 */

export type Dimensions = 'bucket' | 'name' | 'environment' | 'model' | 'tag'

export interface FigureSums {
  add(dimension: Dimensions, value: string, figures: Figures): void
  /** Traces of one cell, but for the bucket. */
  addCell(cell: FigureCell, figures: Figures): void
  /** All, in no order. */
  all(dimension: Dimensions): readonly FigureRow[]
  /** Those that most was counted of. */
  most(dimension: Dimensions): readonly FigureRow[]
}

export type FigureRow = readonly [value: string, figures: ShownFigures]

const namedMax = 50

export function openSums(): FigureSums {
  const sums: Record<Dimensions, Map<string, Figures>> = {
    bucket: new Map(),
    name: new Map(),
    environment: new Map(),
    model: new Map(),
    tag: new Map(),
  }
  const add = (dimension: Dimensions, value: string, figures: Figures) => {
    const known = sums[dimension].get(value)
    const sum = known ?? noFigures()
    if (known === undefined) sums[dimension].set(value, sum)
    addFigures(sum, figures)
  }
  const rows = (found: Iterable<[string, Figures]>) =>
    Array.from(found, ([value, figures]) => [value, shown(figures)] as const)
  return {
    add,
    addCell({ name, environment, tags }, figures) {
      add('name', name, figures)
      add('environment', environment ?? '', figures)
      for (const tag of tags) add('tag', tag, figures)
    },
    all: (dimension) => rows(sums[dimension]),
    most: (dimension) =>
      rows(
        [...sums[dimension]]
          .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
          .slice(0, namedMax),
      ),
  }
}

function shown({ latencies, costNanos, ...sums }: Figures): ShownFigures {
  return {
    ...sums,
    costUsd: costNanos / 1e9,
    latencyMs: {
      p50: quantileOf(latencies, 0.5),
      p90: quantileOf(latencies, 0.9),
      p99: quantileOf(latencies, 0.99),
    },
  }
}
