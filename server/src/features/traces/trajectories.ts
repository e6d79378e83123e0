import type { JsonText } from '../../domain/json-text.ts'
import type { Trace } from '../../domain/span.ts'
import { type CallReadOptions, ReadyJson } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import type { StoredSpan, TraceFilters } from '../../storage/telemetry/port/traces.ts'
import { toApiTrace } from './serialize-trace.ts'
import { readMessagesText } from './trajectory-messages.ts'

/*
 * Traces as message trajectories for training. Only one trace is in memory at a time, and only the parts
 * that its line needs. Inputs and outputs are stored as JSON and passed through unparsed: an export of many
 * large ones must not block other requests.
 */

const tracesAtOnce = 20

/** Small enough that a page of the largest bodies does not block for long. */
const spansAtOnce = 50

interface Ports {
  readonly telemetry: TelemetryStore
  readonly ingestWorkers: IngestWorkers
}

/** Newest first, until the signal aborts. Each is the JSON text of a trajectory. */
export async function* trajectories(
  { telemetry, ingestWorkers }: Ports,
  projectId: string,
  filters: TraceFilters,
  readOptions: CallReadOptions,
): AsyncGenerator<ReadyJson> {
  let after: Position | undefined
  do {
    const query = { limit: tracesAtOnce, filters, ...(after && { after }) }
    const page = await telemetry.listTraces(projectId, query, readOptions)
    for (const trace of page.traces) {
      if (readOptions.signal.aborted) return
      yield new ReadyJson(await trajectoryText({ telemetry, ingestWorkers }, trace, readOptions))
    }
    after = page.next
  } while (after !== undefined && !readOptions.signal.aborted)
}

async function trajectoryText(
  { telemetry, ingestWorkers }: Ports,
  trace: Trace,
  readOptions: CallReadOptions,
): Promise<JsonText> {
  const calls: string[] = []
  let root: StoredSpan | undefined
  let lastCall: StoredSpan | undefined
  for await (const span of spansOf(telemetry, trace, readOptions)) {
    root ??= span
    if (span.kind === 'llm' && hasMessages(span)) lastCall = span
    if (span.kind === 'tool' || span.kind === 'mcp') calls.push(callText(span))
  }
  const body = (lastCall ?? root)?.body
  // Send only the needed part of the body to the other thread.
  const content = body && { input: body.input, output: body.output }
  const messages =
    content === undefined ? '[]' : await readMessagesText(trace.projectId, content, ingestWorkers)
  const head = JSON.stringify(toApiTrace(trace)).slice(0, -1)
  return `${head},"messages":${messages},"tool_calls":[${calls.join(',')}],"rewards":[]}` as JsonText
}

function callText({ spanId, name, status, latencyMs, body }: StoredSpan): string {
  const head = JSON.stringify({ span_id: spanId, name, status, latency_ms: latencyMs })
  const [input, output] = [onOneLine(body?.input), onOneLine(body?.output)]
  return `${head.slice(0, -1)},"input":${input},"output":${output}}`
}

/** Line breaks in JSON occur only between tokens. */
function onOneLine(json: JsonText | undefined): string {
  return json?.replaceAll(/[\r\n]/g, ' ') ?? 'null'
}

async function* spansOf(
  telemetry: TelemetryStore,
  trace: Trace,
  readOptions: CallReadOptions,
): AsyncGenerator<StoredSpan> {
  let after: Position | undefined
  do {
    const query = { limit: spansAtOnce, bodies: true, ...(after && { after }) }
    const page = await telemetry.listSpans(trace.projectId, trace.traceId, query, readOptions)
    yield* page?.spans ?? []
    after = page?.next
  } while (after !== undefined && !readOptions.signal.aborted)
}

function hasMessages({ body }: StoredSpan): boolean {
  return body !== undefined && body.input !== 'null'
}
