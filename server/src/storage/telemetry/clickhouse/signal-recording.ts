import type { Instant } from '../../../domain/instant.ts'
import { toDay } from '../moved-rows.ts'
import type { EncodedSignals } from '../port/ingest.ts'
import type { Connection } from './connection.ts'
import type { NextVersion } from './hybrid-clock.ts'
import { toPrefix, withPrefix } from './lines.ts'
import {
  arrivalOfBatch,
  contentColumns,
  logColumns,
  pointColumns,
  projectOfBatch,
  seriesColumns,
  versionOfBatch,
} from './signal-columns.ts'

/*
 * Stores batches of metrics and log records, those of several senders together.
 */

export interface SignalBatch {
  readonly projectId: string
  readonly signal: 'metrics' | 'logs'
  readonly encoded: EncodedSignals
}

export function openSignalRecording(connection: Connection, nextVersion: NextVersion) {
  return async (batches: readonly SignalBatch[], at: Instant): Promise<void> => {
    const arrivedOn = toDay(at)
    const rows = { logs: noRows(), contents: noRows(), series: noRows(), points: noRows() }
    for (const { projectId, signal, encoded } of batches) {
      const [first, second] = encoded.parts
      if (first === undefined || second === undefined) {
        throw new TypeError(`These ${signal} are not encoded for ClickHouse.`)
      }
      const arrival = toPrefix(arrivalOfBatch.toRow({ projectId, arrivedOn }))
      if (signal === 'logs') {
        rows.logs.push(withPrefix(arrival, first))
        rows.contents.push(withPrefix(arrival, second))
        continue
      }
      const version = String(nextVersion(at))
      rows.series.push(withPrefix(toPrefix(projectOfBatch.toRow({ projectId })), first))
      const versioned = toPrefix(versionOfBatch.toRow({ projectId, arrivedOn, version }))
      rows.points.push(withPrefix(versioned, second))
    }
    // Not spread over arguments, of which a call cannot have 100,000.
    const logs = rows.logs.flat()
    const contents = rows.contents.flat()
    const series = rows.series.flat()
    const points = rows.points.flat()
    await Promise.all([
      connection.insert(`logs (${arrivalOfBatch.names}, ${logColumns.names})`, logs),
      connection.insert(
        `span_contents (${arrivalOfBatch.names}, ${contentColumns.names})`,
        contents,
      ),
      connection.insert(`metric_points (${versionOfBatch.names}, ${pointColumns.names})`, points),
    ])
    // After the points, so that no series is listed without them.
    await connection.insert(
      `metric_series (${projectOfBatch.names}, ${seriesColumns.names})`,
      series,
    )
  }
}

/** Of each batch. */
function noRows(): (readonly Uint8Array[])[] {
  return []
}
