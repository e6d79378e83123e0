import { limits } from '@assay/contract/limits.ts'
import { isScan } from '../log-scan.ts'
import type { LogPage, LogQuery, StoredLog } from '../port/logs.ts'
import { type At, encodeTime, firstInstant, lastInstant, type TimePosition } from '../positions.ts'
import type { Connection, Parameters, StatementOptions } from './connection.ts'
import { logColumns } from './signal-columns.ts'
import { lastExamined, logsBetween, logsOfTrace } from './statements/logs.ts'

/*
 * Reads log records, newest first.
 */

export function openLogReads(connection: Connection) {
  return async (
    projectId: string,
    query: At<TimePosition, LogQuery>,
    options: StatementOptions,
  ): Promise<LogPage> => {
    const { filters, limit, scanLimit } = query
    const parameters = { project: projectId, ...toParameters(query) }
    const [end] = isScan(filters)
      ? await connection.rows(lastExamined, { ...parameters, skip: scanLimit - 1 }, options)
      : []
    const last = end && { at: BigInt(String(end[0])), id: String(end[1]) }
    const bounds = { endAt: last?.at ?? firstInstant, endId: last?.id ?? '', limit: limit + 1 }
    const statement = filters.traceId === undefined ? logsBetween : logsOfTrace
    const rows = connection.stream(statement, { ...parameters, ...bounds }, options)
    const { logs, hasMore } = await takePage(rows, limit)
    const lastLog = hasMore ? logs.at(-1) : undefined
    const next = lastLog ?? last
    return { logs, next: next && encodeTime(next) }
  }
}

function toParameters({ after, filters }: At<TimePosition, LogQuery>): Parameters {
  const to = { at: filters.to ?? lastInstant, id: '' }
  const before = after !== undefined && after.at < to.at ? after : to
  return {
    ...{ beforeAt: before.at, beforeId: before.id, from: filters.from ?? firstInstant },
    severity: filters.severity ?? 0,
    traceId: filters.traceId ?? '',
    spanId: filters.spanId ?? null,
    eventName: filters.eventName ?? null,
    service: filters.service ?? null,
    // Bodies and attributes are JSON, so words are compared in their JSON form.
    words: (filters.words ?? []).map((word) => JSON.stringify(word).slice(1, -1)),
  }
}

/** Reads on only while the page has room. */
async function takePage(
  lists: ReturnType<Connection['stream']>,
  limit: number,
): Promise<{ readonly logs: readonly StoredLog[]; readonly hasMore: boolean }> {
  const logs: StoredLog[] = []
  let bytes = 0
  for await (const rows of lists) {
    for (const row of rows) {
      const log = logColumns.fromRow(row)
      const { body, attributes, resource, scope } = log
      bytes += body.length + attributes.length + resource.length + scope.length
      if (logs.length === limit || (logs.length > 0 && bytes > limits.pageBytes.value)) {
        return { logs, hasMore: true }
      }
      logs.push(log)
    }
  }
  return { logs, hasMore: false }
}
