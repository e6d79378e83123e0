import { setTimeout as sleep } from 'node:timers/promises'
import { toErrorText } from '../../../platform/error-text.ts'
import type { Log } from '../../../platform/log.ts'
import type { Connection } from './connection.ts'
import type { ClickHouseTelemetrySettings, Engine } from './engine.ts'
import {
  ofTraces,
  splitForParameter,
  splitTraceKeys,
  type TraceKey,
  toKey,
} from './parameter-lists.ts'
import {
  checkedUntil,
  deleteOutdatedRows,
  deleteTimesAhead,
  lastStored,
  replicaDelay,
  suspectedTraces,
  tracesWithoutKey,
  versionsOfSources,
  versionsOfTraces,
} from './statements/repair.ts'
import { restoreKeys } from './statements/trace-removal.ts'

/*
 * Traces whose row does not follow from their spans, because a process ended between the two, or because a row was
 * computed while its spans were removed, and traces that are missing in the list, because the server or a process ended
 * between their row and its key. Any process repairs them: when it starts and then regularly, it checks what has been stored
 * since the last check, by keys and versions. Two that check the same do no harm.
 */

export interface TraceRepair {
  /** Repairs those of some traces that need it. */
  repair(keys: readonly TraceKey[]): Promise<void>
  /** Checks what was stored since the last check of any process, unless that was less than so many seconds ago. */
  check(signal: AbortSignal, leastSeconds: number): Promise<void>
}

type RepairPorts = Pick<Engine, 'connection' | 'recording' | 'now' | 'notify'> &
  Pick<ClickHouseTelemetrySettings, 'cluster'>

/** Between the time that a row gets and the end of the write that it belongs to. Statements take a minute at most. */
const overlapSeconds = 180
/** Checked by one statement. */
const tracesAtOnce = 20_000
/** So that a check which falls behind makes progress. */
const secondsAtOnce = 600
/** What is checked when all that is known is from a clock that was ahead. */
const secondsUnknown = 3600

const defaultRepairIntervalMs = 60_000

export function openTraceRepair(ports: RepairPorts): TraceRepair {
  const { connection, cluster } = ports
  const repair = openRepair(ports)
  const restore = openRestoring(ports)
  /** Checks what was stored between two times of the server. */
  const checkRange = async (since: number, until: number, signal: AbortSignal) => {
    let after = { afterProject: '', afterTrace: '' }
    while (!signal.aborted) {
      const range = { since, until, ...after }
      const [last] = await connection.rows(
        lastStored,
        { ...range, limit: tracesAtOnce },
        { signal },
      )
      const [project, trace, count] = [String(last?.[0]), String(last?.[1]), Number(last?.[2])]
      if (count === 0) return
      const end = { endProject: project, endTrace: trace }
      const readKeys = async (statement: string) =>
        (await connection.rows(statement, { ...range, ...end }, { signal })).map(
          (row): TraceKey => [String(row[0]), String(row[1])],
        )
      await repair(await readKeys(suspectedTraces), cluster === undefined ? undefined : until)
      await restore(await readKeys(tracesWithoutKey))
      if (count < tracesAtOnce) return
      after = { afterProject: project, afterTrace: trace }
    }
  }
  return {
    repair: (keys) => repair(keys),
    async check(signal, leastSeconds) {
      // Clocks of servers differ by less.
      const [times] = await connection.rows(checkedUntil, { secondsAhead: overlapSeconds })
      const [checked = 0, serverTime = 0, hasTimesAhead = 0] = times?.map(Number) ?? []
      const [delay] = cluster === undefined ? [] : await connection.rows(replicaDelay, {})
      const end = serverTime - Number(delay?.[0] ?? 0)
      if (end - checked < leastSeconds) return
      // Before the first check, which is made when the tables are new, nothing was stored.
      const unchecked = hasTimesAhead === 0 ? end : end - secondsUnknown
      let since = (checked === 0 ? unchecked : checked) - overlapSeconds
      while (since < end && !signal.aborted) {
        const until = Math.min(since + secondsAtOnce, end)
        await checkRange(since, until, signal)
        if (!signal.aborted) await connection.insertRows('repairs (checked_until)', [[until]])
        since = until
      }
      if (hasTimesAhead === 0 || signal.aborted) return
      await connection.execute(deleteTimesAhead, { latest: serverTime + overlapSeconds })
    },
  }
}

/** A trace whose row has another version than its spans and labels give. */
interface OutdatedTrace {
  readonly key: TraceKey
  /** 0n without a row. */
  readonly row: bigint
  /** 0n without spans. */
  readonly sources: bigint
  /** When the last of all was stored, in seconds. */
  readonly storedAt: number
}

/** Those among some traces. */
export async function findOutdated(
  connection: Connection,
  keys: readonly TraceKey[],
): Promise<readonly OutdatedTrace[]> {
  const readVersions = async (statement: string, some: readonly TraceKey[]) => {
    const rows = await connection.rows(statement, ofTraces(some))
    return new Map(
      rows.map(([project, trace, version, storedAt]) => [
        toKey([String(project), String(trace)]),
        { version: BigInt(String(version)), storedAt: Number(storedAt) },
      ]),
    )
  }
  const outdated: OutdatedTrace[] = []
  for (const some of splitTraceKeys(keys)) {
    // Rows before their sources: a trace that is being recorded may have newer sources, but not an older one.
    const rows = await readVersions(versionsOfTraces, some)
    const ofSources = await readVersions(versionsOfSources, some)
    for (const key of some) {
      const row = rows.get(toKey(key)) ?? nothingStored
      const sources = ofSources.get(toKey(key)) ?? nothingStored
      if (row.version === sources.version) continue
      const storedAt = Math.max(row.storedAt, sources.storedAt)
      outdated.push({ key, row: row.version, sources: sources.version, storedAt })
    }
  }
  return outdated
}

const nothingStored = { version: 0n, storedAt: 0 }

/** Leaves out traces of which anything was stored after a time: the rest of that may not be on this replica yet. */
function openRepair({ connection, recording, now, notify }: RepairPorts) {
  const repairSome = async (keys: readonly TraceKey[], until: number) => {
    const outdated = await findOutdated(connection, keys)
    const complete = outdated.filter(({ storedAt }) => storedAt <= until)
    for (const { key, row, sources } of complete) {
      if (row < sources) continue
      const [project, trace] = key
      const range = { above: String(sources), upTo: String(row) }
      await connection.execute(deleteOutdatedRows, { project, trace, ...range })
    }
    const repaired = complete.map(({ key }) => key)
    for (const { projectId, traceId } of await recording.recompute(repaired, now())) {
      notify(projectId, [traceId])
    }
  }
  return async (keys: readonly TraceKey[], until = Number.POSITIVE_INFINITY) => {
    for (const some of splitTraceKeys(keys)) await repairSome(some, until)
  }
}

/** Adds the keys of traces to the list. */
function openRestoring({ connection, notify }: RepairPorts) {
  return async (keys: readonly TraceKey[]) => {
    for (const [project, ofProject] of Map.groupBy(keys, ([projectId]) => projectId)) {
      const traceIds = ofProject.map(([, traceId]) => traceId)
      for (const ids of splitForParameter(traceIds, (id) => id)) {
        await connection.execute(restoreKeys, { project, ids })
        notify(project, ids)
      }
    }
  }
}

const waiting =
  'traces that an interrupted write left incomplete cannot be repaired now; this is tried again until it succeeds'

/** Checks at once and then regularly, until it is stopped. */
export function startRepairing(
  { check }: TraceRepair,
  log: Log,
  intervalMs = defaultRepairIntervalMs,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let isFailing = false
  const run = async () => {
    // Other processes may check as well: one of them is enough, but for what a process left behind that was restarted.
    for (let leastSeconds = 0; !signal.aborted; leastSeconds = intervalMs / 2000) {
      try {
        await check(signal, leastSeconds)
        isFailing = false
      } catch (error) {
        // Once per outage: a check follows each minute.
        if (!signal.aborted && !isFailing) log.warn(waiting, { error: toErrorText(error) })
        isFailing = true
      }
      await sleep(intervalMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
