import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../platform/log.ts'
import type { ClickHouseTelemetrySettings, Engine } from './engine.ts'
import { ofTraces, splitTraceKeys, type TraceKey, toKey } from './parameter-lists.ts'
import {
  checkedUntil,
  deleteOutdatedRows,
  lastStored,
  replicaDelay,
  suspectedTraces,
  versionsOfSources,
  versionsOfTraces,
} from './statements/repair.ts'

/*
 * Traces whose row does not follow from their spans, because a process ended between the two, or because a row was
 * computed while its spans were removed. Any process repairs them: when it starts and then regularly, it checks what has
 * been stored since the last check, by keys and versions. Two that check the same do no harm.
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

const defaultRepairIntervalMs = 60_000

export function openTraceRepair(ports: RepairPorts): TraceRepair {
  const { connection, cluster } = ports
  const repair = openRepair(ports)
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
      const rows = await connection.rows(suspectedTraces, { ...range, ...end }, { signal })
      await repair(rows.map((row): TraceKey => [String(row[0]), String(row[1])]))
      if (count < tracesAtOnce) return
      after = { afterProject: project, afterTrace: trace }
    }
  }
  return {
    repair,
    async check(signal, leastSeconds) {
      const [times] = await connection.rows(checkedUntil, {})
      const [checked = 0, serverTime = 0] = times?.map(Number) ?? []
      const [delay] = cluster === undefined ? [] : await connection.rows(replicaDelay, {})
      const end = serverTime - Number(delay?.[0] ?? 0)
      if (end - checked < leastSeconds) return
      // Before the first check, which is made when the tables are new, nothing was stored.
      let since = (checked === 0 ? end : checked) - overlapSeconds
      while (since < end && !signal.aborted) {
        const until = Math.min(since + secondsAtOnce, end)
        await checkRange(since, until, signal)
        if (!signal.aborted) await connection.insertRows('repairs (checked_until)', [[until]])
        since = until
      }
    },
  }
}

type Repair = TraceRepair['repair']

function openRepair({ connection, recording, now, notify }: RepairPorts): Repair {
  /** The versions of some of the traces, by key. */
  const readVersions = async (statement: string, keys: readonly TraceKey[]) => {
    const rows = await connection.rows(statement, ofTraces(keys))
    return new Map(
      rows.map(([project, trace, version]) => [
        toKey([String(project), String(trace)]),
        BigInt(String(version)),
      ]),
    )
  }
  const repairSome = async (keys: readonly TraceKey[]) => {
    // Rows before their sources: a trace that is being recorded may have newer sources, but not an older one.
    const versions = await readVersions(versionsOfTraces, keys)
    const sources = await readVersions(versionsOfSources, keys)
    const outdated: TraceKey[] = []
    for (const key of keys) {
      const version = versions.get(toKey(key)) ?? 0n
      const source = sources.get(toKey(key)) ?? 0n
      if (version === source) continue
      outdated.push(key)
      if (version < source) continue
      const [project, trace] = key
      const range = { above: String(source), upTo: String(version) }
      await connection.execute(deleteOutdatedRows, { project, trace, ...range })
    }
    for (const { projectId, traceId } of await recording.recompute(outdated, now())) {
      notify(projectId, [traceId])
    }
  }
  return async (keys) => {
    for (const some of splitTraceKeys(keys)) await repairSome(some)
  }
}

/** Checks at once and then regularly, until it is stopped. */
export function startRepairing(
  { check }: TraceRepair,
  log: Log,
  intervalMs = defaultRepairIntervalMs,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    // Other processes may check as well: one of them is enough, but for what a process left behind that was restarted.
    for (let leastSeconds = 0; !signal.aborted; leastSeconds = intervalMs / 2000) {
      try {
        await check(signal, leastSeconds)
      } catch (error) {
        if (!signal.aborted) log.warn('stored traces cannot be checked', { error: String(error) })
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
