import type { Instant } from '../../../domain/instant.ts'
import type { Trace } from '../../../domain/span.ts'
import { countFitting } from '../page-bytes.ts'
import type { TraceFilters } from '../port/traces.ts'
import { firstInstant, lastInstant, type TimePosition, toStoredInstant } from '../positions.ts'
import { openAttributeComparison } from './attribute-comparison.ts'
import type { Connection, Parameters, StatementOptions } from './connection.ts'
import { isDownToKey, lastKey, matchingTraces, nextTraces } from './statements/trace-lists.ts'
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
/**
 * A search reads the spans of the traces of a step only, so that a word that is everywhere costs no more than the step. In a
 * larger step it is faster to read the spans of all traces that have the word: those before it have shown that it is rare.
 */
const searchedStep = 16_000

export function openTraceLists(connection: Connection): TraceLists {
  return {
    async page(projectId, query, options) {
      const { limit, filters, scanLimit = defaultScanLimit } = query
      const { text, parameters } = toCondition(filters)
      const ofStep = toCondition(filters, isDownToKey).text
      const attributes =
        filters.attributes && openAttributeComparison(connection, projectId, filters.attributes)
      const read = async (statement: string, given: Parameters): Promise<readonly Trace[]> => {
        const all = { project: projectId, ...parameters, ...given }
        const rows = await connection.rows(statement, all, options)
        return rows.map((row) => toTrace(projectId, row))
      }
      const from = toStoredInstant(filters.from ?? firstInstant)
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
        const condition = step > searchedStep ? text : ofStep
        const matches = count === 0 ? [] : await read(matchingTraces(condition), window)
        if (attributes === undefined) found.push(...matches)
        else {
          const compared = await attributes.compare(matches, options)
          found.push(...compared.matches)
          if (found.length <= limit && compared.count < matches.length) {
            // None at all, where the comparison ended with the last trace of the step before.
            const last = matches[compared.count - 1]
            return toPage(found, limit, last ? { at: last.startedAt, id: last.traceId } : after)
          }
        }
        examined += count
        if (found.length > limit || count < step) return toPage(found, limit)
        after = { at: endAt, id: endId }
        if (examined >= scanLimit) return toPage(found, limit, after)
      }
    },
  }
}

/** Where the list starts: after a position, and before an instant. */
function startOf({ after, filters: { to } }: TraceListQuery): TimePosition {
  const first = after ?? { at: lastInstant, id: maxId }
  return to !== undefined && to <= first.at ? { at: toStoredInstant(to), id: '' } : first
}

function toBounds({ at, id }: TimePosition, from: Instant): Parameters {
  return { afterAt: at, afterId: id, from }
}

// Every id sorts before this text.
const maxId = '\u{10FFFF}'.repeat(130)

/** The page of what was found: one more than `limit` if there are more, or all down to where the search stopped. */
function toPage(found: readonly Trace[], limit: number, stoppedAt?: TimePosition): TraceListPage {
  const traces = found.slice(0, countFitting(found, limit, sizeOfTrace))
  const last = traces.at(-1)
  if (last !== undefined && traces.length < found.length) {
    return { traces, next: { at: last.startedAt, id: last.traceId }, coverageStart: undefined }
  }
  // Of the traces that started together with the last one, some may not have been examined.
  return { traces, next: stoppedAt, coverageStart: stoppedAt && stoppedAt.at + 1n }
}
