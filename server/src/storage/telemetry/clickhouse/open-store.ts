import { openFairSlots } from '../../../platform/fair-slots.ts'
import {
  type DistributedChangeFeed,
  openDistributedChangeFeed,
} from '../distributed-change-feed.ts'
import type { TelemetryStore } from '../port/store.ts'
import { agreementOperations } from './agreement-operations.ts'
import { isServerFailure, toWriteError } from './connection-errors.ts'
import type { ClickHouseTelemetrySettings, Engine } from './engine.ts'
import { openHybridClock } from './hybrid-clock.ts'
import { type LargeTraces, openLargeTraces } from './large-traces.ts'
import { openTables } from './open-tables.ts'
import { priceOperations } from './price-operations.ts'
import { openReadTurns } from './read-turns.ts'
import { scoreOperations } from './score-operations.ts'
import { checkClock } from './server-clock.ts'
import { countProcessors } from './server-processors.ts'
import { settlingOperations } from './settled-traces.ts'
import { signalOperations } from './signal-operations.ts'
import { openSpanRecording } from './span-recording.ts'
import { spanWrites } from './span-writes.ts'
import { type ReadBytes, storageReads } from './storage-reads.ts'
import { summaryOperations } from './summary-operations.ts'
import { type MoveBetweenShards, traceChanges } from './trace-changes.ts'
import { traceReads } from './trace-reads.ts'
import { openTraceRepair, startRepairing } from './trace-repair.ts'

/** Opens the telemetry store in ClickHouse and migrates its tables; rejects when a newer version has used them. */
export async function openClickHouseTelemetry(
  settings: ClickHouseTelemetrySettings,
): Promise<TelemetryStore> {
  const feed = openDistributedChangeFeed(settings)
  try {
    const largeTraces = openLargeTraces(settings.cachedTraceSpans)
    const store = await openShard(settings, { feed, largeTraces })
    return {
      ...store,
      async close() {
        await store.close()
        feed.close()
      },
    }
  } catch (error) {
    feed.close()
    throw error
  }
}

/** The store of one database, which may be one of several. */
export type Shard = TelemetryStore & MoveBetweenShards & ReadBytes

/** What all databases of a process share. It is not closed with one of them. */
export interface SharedParts {
  readonly feed: DistributedChangeFeed
  readonly largeTraces: LargeTraces
}

export async function openShard(
  settings: ClickHouseTelemetrySettings,
  { feed, largeTraces }: SharedParts,
): Promise<Shard> {
  const { log, clock, cluster, idempotencyRecords, readDeadlineMs, repairIntervalMs } = settings
  // Live pages then say whether they are up to date.
  const { connection, processors } = await openServer(settings, feed.readAgain)
  const turns = openReadTurns({ processors, deadlineMs: readDeadlineMs })
  const changes = openFairSlots(changeSlots)
  const nextVersion = openHybridClock()
  const now = () => BigInt(clock.now().getTime()) * 1_000_000n
  const writes = new Set<Promise<unknown>>()
  let isClosed = false
  const checkOpen = () => {
    if (isClosed) throw new Error('The telemetry store is closed.')
  }
  const write: Engine['write'] = async (work) => {
    checkOpen()
    const running = work().catch((error: unknown) => {
      if (!isServerFailure(error)) throw error
      log.error('ClickHouse has failed in a write', error, { code: error.code })
      throw toWriteError(error)
    })
    writes.add(running)
    return await running.finally(() => writes.delete(running))
  }
  const engine: Engine = {
    ...{ connection, nextVersion, idempotencyRecords, clock },
    recording: openSpanRecording({ connection, nextVersion, now, largeTraces }),
    now,
    notify(projectId, traceIds) {
      if (traceIds?.length !== 0) feed.notify([{ projectId, traceIds }])
    },
    isWatched: feed.isWatched,
    async read(...args) {
      checkOpen()
      return await turns.scan(...args)
    },
    async lookup(...args) {
      checkOpen()
      return await turns.lookup(...args)
    },
    write,
    change: (projectId, work) => write(() => changes({ owner: projectId, signal: never }, work)),
  }
  const repair = openTraceRepair({ ...engine, cluster })
  const repairing = startRepairing(repair, log, repairIntervalMs)
  return {
    ...traceReads(engine),
    ...signalOperations(engine),
    ...spanWrites(engine),
    ...traceChanges(engine, repair),
    ...settlingOperations(engine),
    ...scoreOperations(engine),
    ...storageReads(engine),
    ...summaryOperations(engine),
    ...priceOperations(engine, repair),
    ...agreementOperations(engine),
    watchChanges: feed.watchChanges,
    searchLagMs: () => 0,
    damagedFile: () => undefined,
    probe: connection.probe,
    async close() {
      if (isClosed) return
      isClosed = true
      await Promise.all([turns.drain(), Promise.allSettled(writes), repairing.stop()])
      await connection.close()
    },
  }
}

/** Opens the tables, and counts the processors of their server. */
async function openServer(
  { url, database, cluster, log, clock }: ClickHouseTelemetrySettings,
  onReachable: (isReachable: boolean) => void,
) {
  let processors = 1
  const settings = { url, database, cluster, log, onReachable }
  const connection = await openTables(settings, async (server) => {
    await checkClock(server, clock, log)
    processors = await countProcessors(server)
  })
  return { connection, processors }
}

/**
 * Tags, scores, prices, moves and removals take several statements each: one project with many of them at once would delay
 * what others record and read.
 */
const changeSlots = {
  ...{ runningMax: 16, runningMaxOfOwner: 2, waitingMax: 1000 },
  refusal: 'Too many changes are waiting. Try again shortly.',
}
const never = new AbortController().signal
