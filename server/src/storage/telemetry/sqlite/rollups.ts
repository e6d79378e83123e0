import type { DatabaseSync } from 'node:sqlite'
import {
  type Aggregates,
  addAggregates,
  emptyAggregates,
  isEmpty,
  type RollupDelta,
  summedKeys,
} from '../aggregates/trace-rollup.ts'
import { prepareRows } from './database.ts'
import type { RowCounts } from './row-counts.ts'
import {
  addToGroup,
  deleteEmptyGroup,
  deleteHour,
  findHour,
  groupKindNo,
  putHour,
  toDimensionNo,
  updateSessionRange,
  updateUserRange,
} from './statements/rollups.ts'

/*
 * Updates rollups in the commit that changes them. The changes of all traces of a commit are summed first, so that a
 * row is written once however many traces change it.
 */

export interface RollupWriter {
  /** Adds what a trace adds to the rollups, or subtracts it with -1. */
  add(projectNo: number, rollupDelta: RollupDelta, times: 1 | -1): void
  /** Writes the sums: before the commit, after the traces. */
  write(): void
  /** Call after a rollback. */
  invalidate(): void
}

interface HourChange {
  readonly key: readonly [projectNo: number, dimension: number, hour: number, value: string]
  readonly aggregates: Aggregates
}

interface GroupChange {
  readonly projectNo: number
  readonly kind: keyof typeof groupKindNo
  readonly value: string
  readonly aggregates: Aggregates
  spans: number
}

export function prepareRollups(db: DatabaseSync, counts: Pick<RowCounts, 'add'>): RollupWriter {
  const hourWriter = prepareHours(db)
  const writeGroup = prepareGroups(db)
  const hours = new Map<string, HourChange>()
  const groups = new Map<string, GroupChange>()

  const hourChange = (projectNo: number, dimension: number, hour: number, value: string) => {
    const key = [projectNo, dimension, hour, value] as const
    const name = key.join(' ')
    const change = hours.get(name) ?? { key, aggregates: emptyAggregates() }
    hours.set(name, change)
    return change.aggregates
  }
  const groupChange = (projectNo: number, kind: GroupChange['kind'], value: string) => {
    const name = `${projectNo} ${kind} ${value}`
    const change = groups.get(name) ?? {
      projectNo,
      kind,
      value,
      aggregates: emptyAggregates(),
      spans: 0,
    }
    groups.set(name, change)
    return change
  }
  const end = () => {
    hours.clear()
    groups.clear()
  }
  return {
    add(projectNo, { hour, mode, parts, whole, spanCount, sessionId, userId }, times) {
      counts.add(projectNo, 'spans', times * spanCount)
      if (mode === 'simulation') counts.add(projectNo, 'simulations', times)
      for (const { dimension, value, aggregates } of parts) {
        const dimensionNo = toDimensionNo(dimension, mode)
        addAggregates(hourChange(projectNo, dimensionNo, hour, value), aggregates, times)
      }
      for (const [kind, value] of [['session', sessionId] as const, ['user', userId] as const]) {
        if (value === null || value === '') continue
        const change = groupChange(projectNo, kind, value)
        addAggregates(change.aggregates, whole, times)
        change.spans += times * spanCount
      }
    },
    write() {
      for (const [name, change] of hours) {
        if (!isEmpty(change.aggregates)) hourWriter.write(name, change)
      }
      for (const change of groups.values()) writeGroup(change)
      end()
    },
    invalidate() {
      end()
      hourWriter.invalidate()
    },
  }
}

/** As stored in a row. */
export type RollupColumns = readonly [
  count: number,
  errors: number,
  calls: number,
  unpriced: number,
  tokensIn: number,
  tokensOut: number,
  costNanos: number,
  latencies: string,
]

function toAggregates(columns: RollupColumns): Aggregates {
  const [count, errors, calls, unpriced, tokensIn, tokensOut, costNanos, latencies] = columns
  const sums = { count, errors, calls, unpriced, tokensIn, tokensOut, costNanos }
  return { ...sums, latencies: new Map(JSON.parse(latencies)) }
}

/** Hours cached as stored: most commits change the same hours as the previous one. */
const cacheEntriesMax = 2000

interface HourWriter {
  write(name: string, change: HourChange): void
  /** Call after a rollback. */
  invalidate(): void
}

function prepareHours(db: DatabaseSync): HourWriter {
  const cached = new Map<string, Aggregates>()
  const find = prepareRows(db, findHour)
  const put = db.prepare(putHour)
  const remove = db.prepare(deleteHour)
  const loadStored = (name: string, key: HourChange['key']): Aggregates => {
    const known = cached.get(name)
    if (known !== undefined) return known
    const stored = find.get(...key) as unknown as RollupColumns | undefined
    return stored === undefined ? emptyAggregates() : toAggregates(stored)
  }
  const write = (name: string, { key, aggregates }: HourChange) => {
    const sum = loadStored(name, key)
    addAggregates(sum, aggregates)
    clampToZero(sum)
    if (isEmpty(sum)) {
      cached.delete(name)
      remove.run(...key)
      return
    }
    const { count, errors, calls, unpriced, tokensIn, tokensOut, costNanos, latencies } = sum
    const sums = [count, errors, calls, unpriced, tokensIn, tokensOut, costNanos]
    put.run(...sums, JSON.stringify([...latencies]), ...key)
    if (cached.size >= cacheEntriesMax) cached.clear()
    cached.set(name, sum)
  }
  return { write, invalidate: () => cached.clear() }
}

/** Traces stored before a rollup existed were never added to it: subtracting one must not count below zero. */
function clampToZero(sum: Aggregates): void {
  for (const key of summedKeys) sum[key] = Math.max(sum[key], 0)
  for (const [bucket, count] of sum.latencies) if (count < 0) sum.latencies.delete(bucket)
}

function prepareGroups(db: DatabaseSync): (change: GroupChange) => void {
  const add = db.prepare(addToGroup)
  const updateRange = { session: db.prepare(updateSessionRange), user: db.prepare(updateUserRange) }
  const removeEmpty = db.prepare(deleteEmptyGroup)
  return ({ projectNo, kind, value, aggregates, spans }) => {
    const key = { projectNo, kind: groupKindNo[kind], value }
    const { count: traces, errors, calls, unpriced, tokensIn, tokensOut, costNanos } = aggregates
    add.run({ ...key, traces, errors, spans, calls, unpriced, tokensIn, tokensOut, costNanos })
    if (Number(removeEmpty.run(key).changes) === 0) updateRange[kind].run(key)
  }
}
