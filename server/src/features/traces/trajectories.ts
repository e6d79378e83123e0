import type { Trajectory } from '@assay/contract/export.ts'
import type { Trace } from '../../domain/span.ts'
import type {
  SpanPosition,
  StoredSpan,
  TelemetryStore,
  TraceFilters,
  TracePosition,
} from '../../storage/telemetry/store.ts'
import { shownTrace } from './shown.ts'

/*
 * Traces as what was said and done in them, for training. One trace is held at a time, and of it only what
 * its line takes.
 */

const tracesAtOnce = 20
const spansAtOnce = 500

/** Newest first, until `signal` aborts. */
export async function* trajectories(
  telemetry: TelemetryStore,
  projectId: string,
  filters: TraceFilters,
  signal: AbortSignal,
): AsyncGenerator<Trajectory> {
  let after: TracePosition | undefined
  do {
    const query = { limit: tracesAtOnce, filters, ...(after && { after }) }
    const page = await telemetry.listTraces(projectId, query)
    for (const trace of page.traces) {
      if (signal.aborted) return
      yield await trajectoryOf(telemetry, trace)
    }
    after = page.next
  } while (after !== undefined && !signal.aborted)
}

async function trajectoryOf(telemetry: TelemetryStore, trace: Trace): Promise<Trajectory> {
  const calls: Trajectory['tool_calls'] = []
  let root: StoredSpan | undefined
  let talk: StoredSpan | undefined
  for await (const span of spansOf(telemetry, trace)) {
    root ??= span
    if (span.kind === 'llm' && hasMessages(span)) talk = span
    if (span.kind !== 'tool' && span.kind !== 'mcp') continue
    const { spanId, name, status, latencyMs } = span
    const said = { input: parsed(span.body?.input), output: parsed(span.body?.output) }
    calls.push({ span_id: spanId, name, ...said, status, latency_ms: latencyMs })
  }
  const body = (talk ?? root)?.body
  const messages = [
    ...messagesOf(parsed(body?.input), 'user'),
    ...messagesOf(parsed(body?.output), 'assistant'),
  ]
  return { ...shownTrace(trace), messages, tool_calls: calls, rewards: [] }
}

async function* spansOf(telemetry: TelemetryStore, trace: Trace): AsyncGenerator<StoredSpan> {
  let after: SpanPosition | undefined
  do {
    const query = { limit: spansAtOnce, bodies: true, ...(after && { after }) }
    const page = await telemetry.listSpans(trace.projectId, trace.traceId, query)
    yield* page?.spans ?? []
    after = page?.next
  } while (after !== undefined)
}

function hasMessages({ body }: StoredSpan): boolean {
  return body !== undefined && body.input !== 'null'
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? null : (JSON.parse(json) as unknown)
}

type Message = Trajectory['messages'][number]

/** The messages in an input or output, however it wraps them; anything else is the content of one. */
export function messagesOf(value: unknown, role: string): Message[] {
  if (value === null) return []
  if (isMessage(value)) return [value]
  if (Array.isArray(value) && value.length > 0 && value.every(isMessage)) return value
  const wrapped = typeof value === 'object' ? (value as { messages?: unknown }).messages : undefined
  if (Array.isArray(wrapped) && wrapped.every(isMessage)) return wrapped
  return [{ role, content: value }]
}

function isMessage(value: unknown): value is Message {
  return (
    typeof value === 'object' && value !== null && 'role' in value && typeof value.role === 'string'
  )
}
