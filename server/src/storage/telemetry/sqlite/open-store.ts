import { join } from 'node:path'
import type { Instant } from '../../../domain/instant.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { RecordedChange, SpanPage, TelemetryStore, TracePage } from '../store.ts'
import { bodyOf } from './body-text.ts'
import { packForSqlite } from './pack.ts'
import { openReaderPool } from './reader-pool.ts'
import type { SpanRowPage, TraceRowPage } from './reads.ts'
import { headOf, traceOf } from './rows-read.ts'
import { isFiltered } from './trace-lists.ts'
import { openWriteLane } from './write-lane.ts'

export interface SqliteTelemetrySettings {
  /** An existing folder, which belongs to this process alone. The file in it is `telemetry.sqlite`. */
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
  /**
   * Called once when a thread of the store has died. Whatever was under way has been rejected, and so is
   * everything from then on: the process should stop, and be started again.
   */
  readonly onFatal: (error: Error) => void
}

const readers = 2

export async function openSqliteTelemetry(
  settings: SqliteTelemetrySettings,
): Promise<TelemetryStore> {
  const { dataDir, clock, log } = settings
  const file = join(dataDir, 'telemetry.sqlite')
  const listeners = new Set<(change: RecordedChange) => void>()
  let isClosed = false

  const onFatal = once(settings.onFatal)
  const lane = await openWriteLane(file, {
    onRecorded: (changes) => tell(listeners, changes, log),
    onUpkeepFailed: ({ message }) => log.warn('upkeep of the telemetry file failed', { message }),
    onFatal,
  })
  const pool = await openReaderPool(file, readers, onFatal).catch(async (error: unknown) => {
    await lane.close()
    throw error
  })
  const checkOpen = () => {
    if (isClosed) throw new Error('The telemetry store is closed.')
  }
  return {
    pack: packForSqlite,

    async record(recording) {
      checkOpen()
      return await lane.record(recording, instantNow(clock))
    },
    async findTrace(projectId, traceId) {
      checkOpen()
      const row = await pool.look('trace', projectId, traceId)
      return row === undefined ? undefined : traceOf(projectId, row)
    },
    async listTraces(projectId, query) {
      checkOpen()
      const read = isFiltered(query.filters) ? pool.scan : pool.look
      return tracePage(projectId, await read('tracePage', projectId, query))
    },
    async findTraces(projectId, traceIds) {
      checkOpen()
      const rows = await pool.look('traces', projectId, traceIds)
      return rows.map((row) => traceOf(projectId, row))
    },
    async listSpans(projectId, traceId, query) {
      checkOpen()
      const page = await pool.look('spanPage', projectId, traceId, query)
      return page === undefined ? undefined : spanPage(projectId, page)
    },
    async findSpan(projectId, traceId, spanId) {
      checkOpen()
      const found = await pool.look('span', projectId, traceId, spanId)
      return found === undefined ? undefined : { ...headOf(found.cells), body: bodyOf(found.body) }
    },
    onRecorded(listener) {
      // Wrapped, so that one function may listen twice.
      const own = (change: RecordedChange) => listener(change)
      listeners.add(own)
      return () => listeners.delete(own)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      // The writer last: the last to leave moves what is in the log into the file.
      await pool.close()
      await lane.close()
    },
  }
}

function once(report: (error: Error) => void): (error: Error) => void {
  let isReported = false
  return (error) => {
    if (isReported) return
    isReported = true
    report(error)
  }
}

function instantNow(clock: Clock): Instant {
  return BigInt(clock.now().getTime()) * 1_000_000n
}

function tell(
  listeners: ReadonlySet<(change: RecordedChange) => void>,
  changes: readonly RecordedChange[],
  log: Log,
): void {
  for (const change of changes) {
    for (const listener of listeners) {
      try {
        listener(change)
      } catch (error) {
        log.error('a listener to recorded traces failed', error)
      }
    }
  }
}

function tracePage(projectId: string, { traces: rows, hasMore, total }: TraceRowPage): TracePage {
  const traces = rows.map((row) => traceOf(projectId, row))
  const last = hasMore ? traces.at(-1) : undefined
  const next = last && { startedAt: last.startedAt, traceId: last.traceId }
  return { traces, next, total }
}

function spanPage(
  projectId: string,
  { trace, spans: rows, hasMore, bodies }: SpanRowPage,
): SpanPage {
  const spans = rows.map((cells, index) => {
    const text = bodies?.[index]
    return text === undefined ? headOf(cells) : { ...headOf(cells), body: bodyOf(text) }
  })
  const last = hasMore ? spans.at(-1) : undefined
  const next = last && { startedAt: last.startedAt, spanId: last.spanId }
  return { trace: traceOf(projectId, trace), spans, next }
}
