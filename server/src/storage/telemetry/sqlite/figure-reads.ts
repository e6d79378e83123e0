import type { DatabaseSync } from 'node:sqlite'
import { quantileOf } from '../../../domain/latency-sketch.ts'
import {
  addFigures,
  type Dimension,
  type Figures,
  hourOf,
  noFigures,
} from '../../../domain/trace-figures.ts'
import type { GroupQuery, ShownFigures, StatsQuery } from '../store.ts'
import { prepareRows, rowsOf } from './database.ts'
import { type FigureCells, figuresOf } from './figures.ts'
import { dimensionNo, groupKindNo, readGroups, readHours } from './statements/figures.ts'

/*
 * Figures as they are asked for: hours put together, in the reader's thread.
 */

export interface FigureReads {
  stats(projectId: string, query: StatsQuery): StatsRows
  groups(projectId: string, query: GroupQuery): GroupRow[]
}

export interface StatsRows {
  readonly buckets: readonly (readonly [hour: number, figures: ShownFigures])[]
  readonly byName: NamedRows
  readonly byEnvironment: NamedRows
  readonly byModel: NamedRows
}

type NamedRows = readonly (readonly [value: string, figures: ShownFigures])[]

export type GroupRow = readonly [
  value: string,
  traces: number,
  errors: number,
  spans: number,
  tokensIn: number,
  tokensOut: number,
  costNanos: number,
  firstAt: string,
  lastAt: string,
]

/** Of names, environments and models: those that most was counted of. */
const namedMax = 50
const nanosPerHour = 3_600_000_000_000n

export function openFigureReads(db: DatabaseSync): FigureReads {
  const hours = prepareRows(db, readHours)
  const groups = prepareRows(db, readGroups)
  const summed = <Key>(
    projectId: string,
    dimension: Dimension,
    { from, to }: StatsQuery,
    keyOf: (hour: number, value: string) => Key,
  ) => {
    const sums = new Map<Key, Figures>()
    const bindings = {
      ...{ projectId, dimension: dimensionNo[dimension] },
      ...{ from: hourOf(from), to: hourOf(to + nanosPerHour - 1n) },
    }
    for (const row of rowsOf<readonly [number, string, ...FigureCells]>(hours, bindings)) {
      const [hour, value, ...cells] = row
      const key = keyOf(hour, value)
      const sum = sums.get(key) ?? noFigures()
      sums.set(key, sum)
      addFigures(sum, figuresOf(cells))
    }
    return sums
  }
  const named = (projectId: string, dimension: Dimension, query: StatsQuery): NamedRows =>
    [...summed(projectId, dimension, query, (_, value) => value)]
      .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
      .slice(0, namedMax)
      .map(([value, figures]) => [value, shown(figures)])

  return {
    stats(projectId, query) {
      const { bucketHours } = query
      const buckets = summed(projectId, 'all', query, (hour) => hour - (hour % bucketHours))
      return {
        buckets: [...buckets]
          .sort(([a], [b]) => a - b)
          .map(([hour, figures]) => [hour, shown(figures)]),
        byName: named(projectId, 'name', query),
        byEnvironment: named(projectId, 'environment', query),
        byModel: named(projectId, 'model', query),
      }
    },
    groups: (projectId, { kind, limit, after }) =>
      rowsOf(groups, {
        ...{ projectId, kind: groupKindNo[kind], limit: limit + 1 },
        ...{ beforeAt: after?.lastAt ?? 2n ** 63n - 1n, beforeValue: after?.value ?? '' },
      }),
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
