import type { Instant } from '../../../domain/instant.ts'
import type { Trace } from '../../../domain/span.ts'
import { countFitting } from '../page-bytes.ts'
import type { TraceFilters } from '../port/traces.ts'
import type { TimePosition } from '../positions.ts'
import { openAttributeComparison } from './attribute-comparison.ts'
import type { Connection, Parameters, StatementOptions } from './connection.ts'
import { lastKey, matchingTraces, nextTraces } from './statements/trace-lists.ts'
import { sizeOfTrace, toTrace } from './trace-columns.ts'
import { toCondition } from './trace-filters.ts'

/*
 * The list of traces. The feed has the keys of traces in the order of the list, also those of earlier states of a trace: a
 * step of it is read, and of these traces the rows that still start at that time and match the filters.
 */

export interface TraceListQuery {
  readonly limit: number
  readonly after?: TimePosition
  readonly filters: TraceFilters
  readonly scanLimit?: number
}

export interface TraceListPage {
  readonly traces: readonly Trace[]
  readonly next: TimePosition | undefined
  readonly coverageStart: Instant | undefined
}

export interface TraceLists {
  page(projectId: string, query: TraceListQuery, options: StatementOptions): Promise<TraceListPage>
}

const defaultScanLimit = 100_000
/** Rows of the feed that are likely to be of earlier states. */
const spareRows = 14
const firstStep = 1000
const stepGrowth = 4

export function openTraceLists(connection: Connection): TraceLists {
  return {
    async page(projectId, query, options) {
      const { limit, filters, scanLimit = defaultScanLimit } = query
      const { text, parameters } = toCondition(filters)
      const attributes =
        filters.attributes && openAttributeComparison(connection, projectId, filters.attributes)
      const read = async (statement: string, given: Parameters): Promise<readonly Trace[]> => {
        const all = { project: projectId, ...parameters, ...given }
        const rows = await connection.rows(statement, all, options)
        return rows.map((row) => toTrace(projectId, row))
      }
      const from = filters.from ?? firstInstant
      let after = startOf(query)
      if (text === 'true' && attributes === undefined) {
        const step = limit + 1 + spareRows
        const traces = await read(nextTraces, { ...toBounds(after, from), step })
        if (traces.length > limit) return toPage(traces, limit)
      }
      const found: Trace[] = []
      let examined = 0
      for (let size = firstStep; ; size *= stepGrowth) {
        const step = Math.max(1, Math.min(size, scanLimit - examined))
        const bounds = { ...toBounds(after, from), project: projectId }
        const [key] = await connection.rows(lastKey, { ...bounds, step }, options)
        const [endAt, endId, count] = [BigInt(String(key![0])), String(key![1]), Number(key![2])]
        const requested = attributes === undefined ? limit + 1 - found.length : count
        const window = { ...bounds, endAt, endId, limit: requested }
        const matches = count === 0 ? [] : await read(matchingTraces(text), window)
        if (attributes === undefined) found.push(...matches)
        else {
          const compared = await attributes.compare(matches, options)
          found.push(...compared.matches)
          const lastCompared = matches[compared.count - 1]
          if (
            found.length <= limit &&
            compared.count < matches.length &&
            lastCompared !== undefined
          ) {
            return { ...toPage(found, limit), ...stoppedAfter(lastCompared) }
          }
        }
        examined += count
        if (found.length > limit || count < step) return toPage(found, limit)
        after = { at: endAt, id: endId }
        // Of the traces that started together with the last one, some may not have been examined.
        if (examined >= scanLimit) {
          return { ...toPage(found, limit), next: after, coverageStart: endAt + 1n }
        }
      }
    },
  }
}

/** Of the traces that started together with the last one, some may not have been examined. */
function stoppedAfter({
  startedAt,
  traceId,
}: Trace): Pick<TraceListPage, 'next' | 'coverageStart'> {
  return { next: { at: startedAt, id: traceId }, coverageStart: startedAt + 1n }
}

/** Where the list starts: after a position, and before an instant. */
function startOf({ after, filters: { to } }: TraceListQuery): TimePosition {
  const first = after ?? { at: lastInstant, id: maxId }
  return to !== undefined && to <= first.at ? { at: to, id: '' } : first
}

function toBounds({ at, id }: TimePosition, from: Instant): Parameters {
  return { afterAt: at, afterId: id, from }
}

// Instants are 64-bit integers, and every id sorts before this text.
const firstInstant = -(2n ** 63n)
const lastInstant = 2n ** 63n - 1n
const maxId = '\u{10FFFF}'.repeat(130)

/** The page of what was found, which is one more than `limit` if there are more. */
function toPage(found: readonly Trace[], limit: number): TraceListPage {
  const traces = found.slice(0, countFitting(found, limit, sizeOfTrace))
  const last = found.length > traces.length ? traces.at(-1) : undefined
  const next = last && { at: last.startedAt, id: last.traceId }
  return { traces, next, coverageStart: undefined }
}
