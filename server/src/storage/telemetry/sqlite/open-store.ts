import { join } from 'node:path'
import type { Instant } from '../../../domain/instant.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { type Damage, openDamage } from '../../damage.ts'
import { type OpenChangeFeed, openChangeFeed } from '../change-feed.ts'
import type { TraceChange } from '../port/change-feed.ts'
import { defaultDeadlineMs } from '../port/read-options.ts'
import type { MoveOutcome } from '../port/removal.ts'
import type { TelemetryStore } from '../port/store.ts'
import { decodeNumber, encodeNumber } from '../positions.ts'
import { agreementOperations } from './agreement-operations.ts'
import type { Change, ChangeResult } from './changes.ts'
import { encodeLogsForSqlite, encodeMetricsForSqlite } from './encode-signals.ts'
import { encodeSpansForSqlite } from './encode-spans.ts'
import { priceOperations } from './price-operations.ts'
import { readOperations } from './read-operations.ts'
import { openReaderPool, type ReaderPool } from './reader-pool.ts'
import { scoreOperations } from './score-operations.ts'
import { type IngestGate, openIngestGate } from './search/ingest-gate.ts'
import { openSearchIndexer, type SearchIndexer } from './search/search-indexer.ts'
import { settlingOperations } from './settling-operations.ts'
import { toTrace } from './trace-columns.ts'
import { openUncertainDamage } from './uncertain-damage.ts'
import { openWriteQueue, requesterOf, type WriteQueue } from './write-queue.ts'

export interface SqliteTelemetrySettings {
  /**
   * An existing folder that only this process uses. Its files are `telemetry.sqlite` and `search.sqlite`.
   */
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
  /** For reads without a deadline of their own. */
  readonly readDeadlineMs?: number
  /** Batches wait while the search index is further behind. */
  readonly searchBacklogMaxMs?: number
  /** Writes are refused while an operation of the writer takes longer. */
  readonly writerHangingAfterMs?: number
  /**
   * Called once when the store has failed permanently, because a thread has died. Running operations have been
   * rejected, and so are all later ones: the process should exit and be restarted.
   */
  readonly onFatal: (error: Error) => void
}

export async function openSqliteTelemetry(
  settings: SqliteTelemetrySettings,
): Promise<TelemetryStore> {
  const { clock, log } = settings
  const feed = openChangeFeed(log)
  const parts = await openParts(settings, feed)
  const { writeQueue, searchIndexer, pool, ingestGate, damage } = parts
  let isClosed = false
  const checkOpen = () => {
    if (isClosed) throw new Error('The telemetry store is closed.')
  }
  const open: Open = {
    ...parts,
    checkOpen,
    now: () => instantNow(clock),
    notify: (change) => feed.notify([change]),
    isWatched: feed.isWatched,
    async change(request) {
      checkOpen()
      const result = await writeQueue.change(request, instantNow(clock))
      searchIndexer.onCommitted()
      return result
    },
  }
  deleteRows(open.change, { type: 'delete-removed' }).catch((error: unknown) => {
    if (!isClosed) log.error('rows of removed traces could not be deleted', error)
  })
  return {
    ...readOperations(open),
    ...traceChanges(open),
    ...signalOperations(open),
    ...priceOperations({ pool, checkOpen, change: open.change, onRepriced: open.notify }),
    ...scoreOperations({ pool, checkOpen, change: open.change, notify: open.notify }),
    ...agreementOperations({ pool, checkOpen }),
    ...settlingOperations({ pool, checkOpen }),
    encode: encodeSpansForSqlite,
    async record(recording) {
      checkOpen()
      const admission = ingestGate.admit(requesterOf(recording), recording.spans.sizeBytes)
      if (admission !== undefined) await admission
      return await writeQueue.record(recording, open.now())
    },
    searchLagMs: () => searchIndexer.lagMs(),
    damagedFile: damage.file,
    probe: async () => writeQueue.isResponding(),
    watchChanges: feed.watchChanges,
    async close() {
      if (isClosed) return
      isClosed = true
      ingestGate.close()
      await closeAll(pool, searchIndexer, writeQueue)
    },
  }
}

/** The threads of the store. */
interface Parts {
  readonly writeQueue: WriteQueue
  readonly searchIndexer: SearchIndexer
  readonly pool: ReaderPool
  readonly ingestGate: IngestGate
  readonly damage: Damage
}

/** What the operations of an open store need. */
interface Open extends Parts {
  checkOpen(): void
  now(): Instant
  notify(change: TraceChange): void
  isWatched(projectId: string): boolean
  change(request: Change): Promise<ChangeResult>
}

const defaultBacklogMaxMs = 10_000
const ingestGateLimits = { waitingBytesMax: 64 * 1024 * 1024, waitMsMax: 10_000 }

/** The writer last: the last connection to close checkpoints the write-ahead log. */
async function closeAll(...open: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const each of open) await each.close()
}

async function openParts(settings: SqliteTelemetrySettings, feed: OpenChangeFeed): Promise<Parts> {
  const { dataDir, clock, log } = settings
  const file = join(dataDir, 'telemetry.sqlite')
  const searchFile = join(dataDir, 'search.sqlite')
  const onFatal = once(settings.onFatal)
  const damage = openDamage('telemetry', file, log)
  const uncertainDamage = openUncertainDamage(damage)
  const started: { writeQueue?: WriteQueue; pool?: ReaderPool } = {}
  const { searchBacklogMaxMs = defaultBacklogMaxMs } = settings
  const ingestGate = openIngestGate({
    lag: () => searchIndexer.backlogMs() / searchBacklogMaxMs,
    ...ingestGateLimits,
  })
  const searchIndexer = openSearchIndexer(
    { file: searchFile, telemetryFile: file },
    {
      onProgress: ingestGate.update,
      onChangesIndexed(upTo) {
        // A failed deletion is repeated the next time.
        started.writeQueue
          ?.change({ type: 'delete-search-changes', upTo }, instantNow(clock))
          .catch(() => undefined)
      },
      onRebuilt() {
        uncertainDamage.onIndexRebuilt()
        log.warn('the search index was damaged and is being rebuilt')
        started.pool?.onSearchRebuilt()
      },
      onIntact: uncertainDamage.onIndexIntact,
      onFailed({ message, isCorruption }) {
        if (isCorruption) uncertainDamage.onFound()
        log.warn('the search index could not be updated', { reason: message })
      },
      onFatal,
    },
  )
  const writeQueue = await openWriteQueue(
    { file, searchFile, hangingAfterMs: settings.writerHangingAfterMs },
    {
      onRecorded(changes) {
        searchIndexer.onCommitted()
        feed.notify(changes)
      },
      onCorruption: damage.onFound,
      onMaintenanceFailed: ({ message }) =>
        log.warn('maintenance of the telemetry file failed', { reason: message }),
      onRespondingChanged: (isResponding) =>
        log.warn(`the telemetry store ${isResponding ? 'responds again' : 'does not respond'}`),
      onSearchBehind: searchIndexer.onBehind,
      onFatal,
    },
  )
  started.writeQueue = writeQueue
  const pool = await openReaderPool(
    { file, searchFile, deadlineMs: settings.readDeadlineMs ?? defaultDeadlineMs },
    {
      onCorruption() {
        uncertainDamage.onFound()
        searchIndexer.check()
      },
      onOpenFailed: searchIndexer.check,
      onFatal,
    },
  ).catch(async (error: unknown) => {
    await closeAll(searchIndexer, writeQueue)
    throw error
  })
  started.pool = pool
  return { writeQueue, searchIndexer, pool, ingestGate, damage }
}

/** One step after the other, so that batches that arrive in between are committed. */
async function deleteRows(change: Open['change'], step: Change): Promise<void> {
  while ((await change(step)).isMore === true);
}

function traceChanges({ change, notify }: Open) {
  return {
    async removeTrace(projectId, traceId) {
      const { traceIds, isMore } = await change({ type: 'remove', projectId, traceId })
      if (isMore === true) await deleteRows(change, { type: 'delete-rows', projectId, traceId })
      return traceIds.length > 0
    },
    async moveTraces(projectId, fromProjectId, traceIds) {
      const outcomes: MoveOutcome[] = []
      // One after the other, so that batches for the project that arrive in between do not wait for all of them.
      for (const traceId of traceIds) {
        const request = { type: 'adopt', projectId, fromProjectId, traceId } as const
        const { reason = 'adopted' } = await change(request)
        if (reason === 'adopted') notify({ projectId, traceIds: [traceId] })
        outcomes.push(reason)
      }
      return outcomes
    },
    async changeTags(projectId, traceIds, changes) {
      const result = await change({ type: 'tag', projectId, traceIds, changes })
      if (result.traceIds.length > 0) notify({ projectId, traceIds: result.traceIds })
      return result.traceIds
    },
    async removeOldTraces(projectId, before) {
      const { count, isMore } = await change({ type: 'remove-old', projectId, before })
      return { traceCount: count ?? 0, isDone: isMore !== true }
    },
    async removeOldSignals(projectId, before, after) {
      const from = after === undefined ? undefined : decodeNumber(after)
      const request = { type: 'remove-old-signals', projectId, before, after: from } as const
      const { next } = await change(request)
      return next === undefined ? undefined : encodeNumber(next)
    },
    async removeOldIdempotencyRecords(before) {
      const { isMore } = await change({ type: 'remove-old-idempotency-records', before })
      return isMore === true ? 'more' : 'removed'
    },
    async removeProject(projectId) {
      const { isMore } = await change({ type: 'remove-project', projectId })
      return isMore === true ? 'more' : 'removed'
    },
  } satisfies Partial<TelemetryStore>
}

/** The maximum of one read. */
const tracesPerLookup = 500

function signalOperations({ pool, writeQueue, checkOpen, now, notify, isWatched }: Open) {
  /** Of the traces, those that are stored. */
  const notifyFilled = async (projectId: string, ids: readonly string[]) => {
    for (let at = 0; at < ids.length && isWatched(projectId); at += tracesPerLookup) {
      const rows = await pool.lookup('traces', [projectId, ids.slice(at, at + tracesPerLookup)])
      const traceIds = rows.map((row) => toTrace(projectId, row).traceId)
      if (traceIds.length > 0) notify({ projectId, traceIds })
    }
  }
  return {
    encodeMetrics: encodeMetricsForSqlite,
    encodeLogs: encodeLogsForSqlite,

    async recordMetrics(projectId, metrics, organizationId = projectId) {
      checkOpen()
      await writeQueue.recordSignals([organizationId, projectId], 'metrics', metrics, now())
    },
    async recordLogs(projectId, logs, organizationId = projectId) {
      checkOpen()
      const { filledTraceIds } = logs
      await writeQueue.recordSignals([organizationId, projectId], 'logs', logs, now())
      // The records are stored, even if nobody can be notified.
      await notifyFilled(projectId, filledTraceIds).catch(() => {})
    },
  } satisfies Partial<TelemetryStore>
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
