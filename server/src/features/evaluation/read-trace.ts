import { limits } from '@assay/contract/limits.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Trace } from '../../domain/span.ts'
import type { ViewedTrace } from '../../domain/trace-view/build-trace-view.ts'
import type { CallReadOptions } from '../../http/call.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/** A trace and its spans in the JSON of the API, a list for each page. */
export interface SerializedTrace {
  readonly trace: ViewedTrace
  readonly pages: readonly Uint8Array<ArrayBuffer>[]
}

/** For an evaluation. */
type Options = Pick<CallReadOptions, 'signal' | 'requester'>

const pairPrefix = 'eval:pair='
const siblingsMax = limits.comparedTraces.value
/** Each is a query. */
const pairsMax = 5

/** Undefined when there is no such trace; `too large` beyond `bytesMax`. */
export async function readWholeTrace(
  telemetry: TelemetryStore,
  projectId: string,
  traceId: string,
  options: Options,
  bytesMax: number = limits.evaluatedBytes.value,
): Promise<SerializedTrace | 'too large' | undefined> {
  const pages: Uint8Array<ArrayBuffer>[] = []
  let trace: ViewedTrace | undefined
  let bytes = 0
  let after: Position | undefined
  do {
    const query = { limit: limits.spansPage.value, bodies: true, ...(after && { after }) }
    const page = await telemetry.readSpansJson(projectId, traceId, query, options)
    if (page === undefined) return undefined
    trace ??= toViewed(page.trace)
    pages.push(page.json)
    bytes += page.json.byteLength
    if (bytes > bytesMax) return 'too large'
    after = page.next
  } while (after !== undefined)
  return { trace, pages }
}

function sizeOf({ pages }: SerializedTrace): number {
  return pages.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

function toViewed(trace: Trace): ViewedTrace {
  return {
    ...{ trace_id: trace.traceId, status: trace.status, tags: [...trace.tags] },
    ...{ duration_ms: trace.durationMs, cost_usd: trace.costUsd },
    ...{ tokens_in: trace.tokensIn, tokens_out: trace.tokensOut },
  }
}

/** Other traces with one of its `eval:pair` tags, oldest first, as many as are together no larger than one may be. */
export async function readSiblings(
  telemetry: TelemetryStore,
  projectId: string,
  { trace_id: traceId, tags }: ViewedTrace,
  options: Options,
): Promise<SerializedTrace[]> {
  const pairs = tags.filter((tag) => tag.startsWith(pairPrefix))
  if (pairs.length === 0) return []
  // One list for each tag: the filter selects traces that have all its tags.
  const found = new Map<string, Trace>()
  for (const tag of pairs.slice(0, pairsMax)) {
    const query = { limit: siblingsMax + 1, filters: { tags: [tag] } }
    const { traces } = await telemetry.listTraces(projectId, query, options)
    for (const one of traces) found.set(one.traceId, one)
  }
  found.delete(traceId)
  const others = [...found.values()]
    .toSorted((a, b) => formatInstant(a.startedAt).localeCompare(formatInstant(b.startedAt)))
    .slice(-siblingsMax)
  const siblings: SerializedTrace[] = []
  let left: number = limits.evaluatedBytes.value
  for (const other of others) {
    const read = await readWholeTrace(telemetry, projectId, other.traceId, options, left)
    if (read === undefined || read === 'too large') continue
    left -= sizeOf(read)
    siblings.push(read)
  }
  return siblings
}
