import type { StatsReads } from '../port/stats.ts'
import { decodeAfter, decodeTime } from '../positions.ts'
import type { Engine } from './engine.ts'
import { readHistogram } from './histogram-reads.ts'
import { readGroups, readStats } from './stats-reads.ts'
import { openTraceLists } from './trace-lists.ts'

/** The operations of the port on counts and aggregates. */
export function summaryOperations({ connection, read }: Engine): StatsReads {
  const lists = openTraceLists(connection)
  return {
    async readStats(projectId, query, options) {
      return await read(projectId, options, (statement) =>
        readStats(connection, projectId, query, statement),
      )
    },
    async readHistogram(projectId, query, options) {
      return await read(projectId, options, (statement) =>
        readHistogram(connection, lists, projectId, query, statement),
      )
    },
    async listGroups(projectId, query, options) {
      const decoded = decodeAfter(query, decodeTime)
      return await read(projectId, options, (statement) =>
        readGroups(connection, projectId, decoded, statement),
      )
    },
  }
}
