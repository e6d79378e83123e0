import type { Trajectory } from '@assay/contract/export.ts'
import { limits } from '@assay/contract/limits.ts'
import type { Trace } from '../../domain/span.ts'
import { type CallReadOptions, type JsonPart, JsonPieces } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { ReadOptions } from '../../storage/telemetry/port/read-options.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import type { TraceFilters } from '../../storage/telemetry/port/traces.ts'
import { toApiTrace } from './serialize-trace.ts'
import { readMessagesJson } from './trajectory-messages.ts'

/*
 * Traces as message trajectories for training. Reader threads find the tool calls and serialize them; a part of a trace
 * is sent before the next one is read, so that an export of large traces neither fills the memory nor delays other
 * requests.
 */

const tracesAtOnce = 20
const spansAtOnce = 2000

interface Ports {
  readonly telemetry: TelemetryStore
  readonly ingestWorkers: IngestWorkers
}

/** Newest first, until the signal aborts. */
export async function* trajectories(
  { telemetry, ingestWorkers }: Ports,
  projectId: string,
  filters: TraceFilters,
  readOptions: CallReadOptions,
): AsyncGenerator<JsonPieces> {
  let after: Position | undefined
  do {
    const query = { limit: tracesAtOnce, filters, ...(after && { after }) }
    const page = await telemetry.listTraces(projectId, query, readOptions)
    for (const trace of page.traces) {
      if (readOptions.signal.aborted) return
      yield new JsonPieces(trajectoryPieces({ telemetry, ingestWorkers }, trace, readOptions))
    }
    after = page.next
  } while (after !== undefined && !readOptions.signal.aborted)
}

/** Those of these traces that exist, in the order of the ids. */
export async function* selectedTrajectories(
  ports: Ports,
  projectId: string,
  traceIds: readonly string[],
  readOptions: CallReadOptions,
): AsyncGenerator<JsonPieces> {
  const ids = [...new Set(traceIds)]
  for (let at = 0; at < ids.length; at += tracesAtOnce) {
    const some = ids.slice(at, at + tracesAtOnce)
    const found = await ports.telemetry.findTraces(projectId, some, readOptions)
    const byId = new Map(found.map((trace) => [trace.traceId, trace]))
    for (const id of some) {
      const trace = byId.get(id)
      if (readOptions.signal.aborted) return
      if (trace !== undefined) yield new JsonPieces(trajectoryPieces(ports, trace, readOptions))
    }
  }
}

async function* trajectoryPieces(
  { telemetry, ingestWorkers }: Ports,
  trace: Trace,
  readOptions: CallReadOptions,
): AsyncGenerator<JsonPart> {
  const { projectId, traceId } = trace
  yield `${JSON.stringify(toApiTrace(trace)).slice(0, -1)},"tool_calls":[`
  let modelCallId: string | undefined
  let rootId: string | undefined
  let hasCalls = false
  let after: Position | undefined
  do {
    const query = { limit: spansAtOnce, ...(after && { after }) }
    const page = await telemetry.readToolCalls(projectId, traceId, query, readOptions)
    if (page.count > 0) {
      if (hasCalls) yield ','
      // Without the brackets.
      yield page.json.subarray(1, -1)
      hasCalls = true
    }
    rootId ??= page.firstSpanId
    modelCallId = page.modelCallId ?? modelCallId
    after = page.next
  } while (after !== undefined)
  const spanId = modelCallId ?? rootId
  const { signal, requester } = readOptions
  const span =
    spanId === undefined
      ? undefined
      : await telemetry.readSpanJson(projectId, traceId, spanId, { signal, requester })
  yield '],"messages":'
  yield span === undefined ? '[]' : await readMessagesJson(requester, span, ingestWorkers)
  yield `,"rewards":${JSON.stringify(await readRewards(telemetry, trace, { signal, requester }))}}`
}

/** Of each name the newest score of the whole trace that counts. */
async function readRewards(
  telemetry: TelemetryStore,
  { projectId, traceId }: Trace,
  options: ReadOptions,
): Promise<Trajectory['rewards']> {
  const query = { limit: limits.exportedScores.value }
  const { scores } = await telemetry.listScores(projectId, traceId, query, options)
  const counted = scores.filter(({ spanId, status }) => spanId === null && status === 'scored')
  const byName = new Map(counted.toReversed().map(({ name, value }) => [name, value]))
  return [...byName].map(([name, score]) => ({ name, score }))
}
