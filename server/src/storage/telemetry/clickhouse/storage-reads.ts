import type { ReadOptions } from '../port/read-options.ts'
import type { StorageReads, StorageUsed, StoredSignal } from '../port/storage-used.ts'
import type { StatementOptions } from './connection.ts'
import type { Engine } from './engine.ts'
import { deploymentBytes, rowsOf, type StoredTable } from './statements/storage-used.ts'

/*
 * How much storage a project uses: its rows are counted, and their bytes are its share of those of the table.
 */

export interface ReadBytes {
  /** Everything that the database holds. */
  readBytes(options?: ReadOptions): Promise<number>
}

export function storageReads({ connection, read, lookup }: Engine): StorageReads & ReadBytes {
  const bytesOf = async (statement: StatementOptions) => {
    const [bytes] = await connection.rows(deploymentBytes, {}, statement)
    return Number(bytes?.[0] ?? 0)
  }
  return {
    readBytes: async (options) => await lookup('', options, bytesOf),

    async readStorage(projectId, options) {
      return await read(projectId, options, async (statement): Promise<StorageUsed> => {
        const readTable = async (table: StoredTable) => {
          const rows = await connection.rows(rowsOf(table), { project: projectId }, statement)
          return toSignal(rows[0]!)
        }
        // One after the other: a read has the processors of one statement.
        const traces = await readTable('traces')
        const spans = await readTable('spans')
        const { oldestAt, newestAt } = traces
        return {
          traces,
          spans: { ...spans, oldestAt, newestAt },
          metricPoints: await readTable('metric_points'),
          logRecords: await readTable('logs'),
          scores: await readTable('scores'),
          isEstimate: false,
          deploymentBytes: await bytesOf(statement),
        }
      })
    },
  }
}

function toSignal([count, oldest, newest, bytes]: readonly unknown[]): StoredSignal {
  const isEmpty = Number(count) === 0
  return {
    count: Number(count),
    bytes: isEmpty ? 0 : Math.ceil(Number(bytes)),
    oldestAt: isEmpty ? null : BigInt(String(oldest)),
    newestAt: isEmpty ? null : BigInt(String(newest)),
  }
}
