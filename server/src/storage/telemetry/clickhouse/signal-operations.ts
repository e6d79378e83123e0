import { isScan } from '../log-scan.ts'
import type { Ingest } from '../port/ingest.ts'
import type { LogReads } from '../port/logs.ts'
import type { MetricReads } from '../port/metrics.ts'
import { decodeAfter, decodeMetric, decodeTime } from '../positions.ts'
import { encodeLogsForClickHouse, encodeMetricsForClickHouse } from './encode-signals.ts'
import type { Engine } from './engine.ts'
import { openLogReads } from './log-reads.ts'
import { openMetricReads } from './metric-reads.ts'
import { splitForParameter } from './parameter-lists.ts'
import { openSignalRecording, type SignalBatch } from './signal-recording.ts'
import { existingTraceIds } from './statements/traces.ts'
import { openWriteQueue } from './write-queue.ts'

/*
 * The operations of the port on metrics and log records.
 */

type SignalOperations = Pick<
  Ingest,
  'encodeMetrics' | 'encodeLogs' | 'recordMetrics' | 'recordLogs'
> &
  MetricReads &
  LogReads

export function signalOperations(engine: Engine): SignalOperations {
  const { connection, read, lookup, nextVersion, now, notify, isWatched, write } = engine
  const store = openSignalRecording(connection, nextVersion)
  const queue = openWriteQueue<SignalBatch, void>(async (batches) => {
    await store(batches, now())
    return batches.map(() => undefined)
  })
  const record = (batch: SignalBatch, organizationId = batch.projectId) =>
    write(() => queue([organizationId, batch.projectId], batch, batch.encoded.sizeBytes))
  /** Of the traces, those that are stored. */
  const notifyFilled = async (projectId: string, ids: readonly string[]) => {
    // Somebody may have begun to watch elsewhere, which this process does not know yet.
    if (ids.length > 0 && !isWatched(projectId)) return notify(projectId, null)
    for (const some of splitForParameter(ids, (id) => id)) {
      if (!isWatched(projectId)) return
      const rows = await connection.rows(existingTraceIds, { project: projectId, ids: some })
      notify(
        projectId,
        rows.map(([id]) => String(id)),
      )
    }
  }
  const lists = { logs: openLogReads(connection), metrics: openMetricReads(connection) }
  return {
    encodeMetrics: encodeMetricsForClickHouse,
    encodeLogs: encodeLogsForClickHouse,
    recordMetrics: (projectId, encoded, organizationId) =>
      record({ projectId, signal: 'metrics', encoded }, organizationId),
    async recordLogs(projectId, encoded, organizationId) {
      await record({ projectId, signal: 'logs', encoded }, organizationId)
      // The records are stored, even if nobody can be notified.
      await notifyFilled(projectId, encoded.filledTraceIds).catch(() => undefined)
    },
    async listLogs(projectId, query, options) {
      const decoded = decodeAfter(query, decodeTime)
      const run = isScan(query.filters) ? read : lookup
      return await run(projectId, options, (statement) => lists.logs(projectId, decoded, statement))
    },
    async listMetrics(projectId, query, options) {
      const decoded = decodeAfter(query, decodeMetric)
      return await read(projectId, options, (statement) =>
        lists.metrics.page(projectId, decoded, statement),
      )
    },
    async readSeries(projectId, name, query, options) {
      return await read(projectId, options, (statement) =>
        lists.metrics.series(projectId, name, query, statement),
      )
    },
  }
}
