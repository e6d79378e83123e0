import { openFairBudget } from '../../../../platform/fair-budget.ts'
import { scaleToMemory } from '../../../../platform/scale-to-memory.ts'
import { openDistributedChangeFeed } from '../../distributed-change-feed.ts'
import type { TelemetryStore } from '../../port/store.ts'
import { encodeLogsForClickHouse, encodeMetricsForClickHouse } from '../encode-signals.ts'
import { encodeSpansForClickHouse } from '../encode-spans.ts'
import { openLargeTraces } from '../large-traces.ts'
import { listedWithinMs } from '../listed-within.ts'
import type { Shard } from '../open-store.ts'
import { openShards, type ShardSettings, type Shards } from './open-shards.ts'

/*
 * The telemetry store on several databases of ClickHouse. Each project is in one of them, so that every operation is one of
 * that database (docs/adr/0032-shards-by-project.md).
 */

/** Operations on one project, whose id is their first argument. */
type ProjectOperation = {
  [Name in keyof TelemetryStore]: Parameters<TelemetryStore[Name]> extends [string, ...unknown[]]
    ? ReturnType<TelemetryStore[Name]> extends Promise<unknown>
      ? Name
      : never
    : never
}[keyof TelemetryStore]

/** Each of them is listed here, or the type does not hold. */
const projectOperations: Readonly<Record<ProjectOperation, true>> = {
  ...{ recordMetrics: true, recordLogs: true, findTrace: true, listTraces: true, findTraces: true },
  ...{ findSpan: true, readSpansJson: true, readSpanJson: true, readToolCalls: true },
  ...{ readStats: true, readHistogram: true, listGroups: true, listMetrics: true },
  ...{ readSeries: true, listLogs: true, listPriceable: true, reprice: true, countTraces: true },
  ...{ listModels: true, removeTrace: true, moveTraces: true, removeOldTraces: true },
  ...{ removeOldSignals: true, removeProject: true, recordScores: true, removeScores: true },
  ...{ listScores: true, listScoreRuns: true, findScoreRun: true, countScores: true },
  ...{ listScoredTraces: true, readScoreStats: true, readAgreement: true },
  ...{ listDisagreements: true, listSettledTraces: true, changeTags: true, readStorage: true },
}

/** Opens the store and migrates its tables; rejects when a newer version has used them. */
export async function openShardedTelemetry(settings: ShardSettings): Promise<TelemetryStore> {
  const feed = openDistributedChangeFeed(settings)
  const largeTraces = openLargeTraces(settings.cachedTraceSpans)
  const shards = await openShards(settings, { feed, largeTraces }).catch((error: unknown) => {
    feed.close()
    throw error
  })
  const { run, close } = openOperations(shards)
  const withinBudget = openWaitingBudget()
  const ofProject = Object.keys(projectOperations).map((name) => [
    name,
    (projectId: string, ...rest: readonly unknown[]) =>
      run(projectId, (shard) =>
        (shard[name as ProjectOperation] as AnyOperation)(projectId, ...rest),
      ),
  ])
  return {
    ...(Object.fromEntries(ofProject) as Pick<TelemetryStore, ProjectOperation>),
    encode: encodeSpansForClickHouse,
    encodeMetrics: encodeMetricsForClickHouse,
    encodeLogs: encodeLogsForClickHouse,
    record: (recording) =>
      run(recording.projectId, (shard) =>
        withinBudget(shard, recording.spans.sizeBytes, () => shard.record(recording)),
      ),
    recordMetrics: (projectId, metrics, organizationId) =>
      run(projectId, (shard) =>
        withinBudget(shard, metrics.sizeBytes, () =>
          shard.recordMetrics(projectId, metrics, organizationId),
        ),
      ),
    recordLogs: (projectId, logs, organizationId) =>
      run(projectId, (shard) =>
        withinBudget(shard, logs.sizeBytes, () =>
          shard.recordLogs(projectId, logs, organizationId),
        ),
      ),
    moveTraces: (projectId, fromProjectId, traceIds) =>
      run(projectId, async (shard) => {
        const { movePorts } = await shards.of(fromProjectId)
        return await shard.moveTracesFrom(movePorts, projectId, fromProjectId, traceIds)
      }),
    readStorage: (projectId, options) =>
      run(projectId, async (shard) => {
        const used = await shard.readStorage(projectId, options)
        const others = shards.list().filter((other) => other !== shard)
        const bytes = await Promise.all(others.map((other) => other.readBytes(options))).catch(
          () => null,
        )
        const deploymentBytes =
          bytes === null || used.deploymentBytes === null || !shards.isComplete()
            ? null
            : bytes.reduce((sum, each) => sum + each, used.deploymentBytes)
        return { ...used, deploymentBytes }
      }),
    // They are in the accounts database.
    removeOldIdempotencyRecords: async (before) =>
      await anyOf(shards).removeOldIdempotencyRecords(before),
    watchChanges: feed.watchChanges,
    listedWithinMs: () => listedWithinMs,
    searchLagMs: () => 0,
    damagedFile: () => undefined,
    /** Projects of others go on while one of them does not respond. */
    probe: async () =>
      (await Promise.all(shards.list().map((shard) => shard.probe()))).includes(true),
    async close() {
      await close()
      feed.close()
    },
  }
}

type AnyOperation = (...args: readonly unknown[]) => Promise<unknown>

function anyOf(shards: Shards): Shard {
  const [shard] = shards.list()
  if (shard === undefined) throw new Error('A store has at least one shard.')
  return shard
}

/** Runs operations, for which closing waits. */
function openOperations(shards: Shards) {
  const running = new Set<Promise<unknown>>()
  let isClosed = false
  return {
    async run<Result>(projectId: string, work: (shard: Shard) => Promise<Result>): Promise<Result> {
      if (isClosed) throw new Error('The telemetry store is closed.')
      const operation = shards.of(projectId).then(work)
      running.add(operation)
      return await operation.finally(() => running.delete(operation))
    },
    async close(): Promise<void> {
      if (isClosed) return
      isClosed = true
      await Promise.allSettled(running)
      await shards.close()
    },
  }
}

/** Twice what waits for one server at most, however many there are: one that is slow leaves room for the others. */
const waitingBytesMax = scaleToMemory(1024 * 1024 * 1024)

function openWaitingBudget() {
  const ids = new Map<Shard, string>()
  const refusal = 'Too much is waiting to be stored.'
  const budget = openFairBudget({ total: waitingBytesMax, share: waitingBytesMax / 2, refusal })
  return async <Result>(
    shard: Shard,
    sizeBytes: number,
    record: () => Promise<Result>,
  ): Promise<Result> => {
    const id = ids.get(shard) ?? String(ids.size)
    ids.set(shard, id)
    budget.take(id, sizeBytes)
    try {
      return await record()
    } finally {
      budget.release(id, sizeBytes)
    }
  }
}
