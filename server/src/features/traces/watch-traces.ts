import type { LiveMessage } from '@assay/contract/traces.ts'
import type { CallReadOptions } from '../../http/call.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { withScoreCounts } from './serialize-trace.ts'
import { type SharedTraceReads, shareTraceReads } from './shared-trace-reads.ts'

/** Held in memory while the client reads them. */
const readAtOnce = 20
/** Sent between two pauses. */
const sentAtOnce = 200
const waitingMax = 2000

/**
 * The interval between two reads: a trace that arrives span by span is sent a few times per second, not per
 * span.
 */
const pauseMs = 100

interface LivePorts {
  readonly telemetry: TelemetryStore
  readonly traces: SharedTraceReads<LiveTrace>
}

type LiveTrace = Awaited<ReturnType<typeof withScoreCounts>>[number]

/** For all live streams. */
export function openLiveTraces(telemetry: TelemetryStore): LivePorts {
  const traces = shareTraceReads(async (projectId, traceIds, options) => {
    const found = await telemetry.findTraces(projectId, traceIds, options)
    const counted = await withScoreCounts(telemetry, projectId, found, options)
    return new Map(counted.map((trace) => [trace.trace_id, trace]))
  })
  return { telemetry, traces }
}

/** Between two messages to read again: each costs the service what loading a page does. */
const reloadMs = 2_000

/**
 * The traces of a project as they are stored or changed, until the signal aborts. Under heavy load the oldest
 * unread changes are dropped, and the client is to read again what it shows, as it is when changes of another process
 * are unknown. Repeated and late changes are harmless, because the current trace is read.
 */
export async function* watchTraces(
  { telemetry, traces }: LivePorts,
  projectId: string,
  readOptions: CallReadOptions,
): AsyncGenerator<LiveMessage> {
  const { signal } = readOptions
  const changed = new Set<string>()
  let isMissing = false
  let reloadedAt = Number.NEGATIVE_INFINITY
  let wake = () => {}
  const stopWatching = telemetry.watchChanges(projectId, ({ traceIds }) => {
    traces.forget(projectId, traceIds)
    if (traceIds === null) isMissing = true
    for (const traceId of traceIds ?? []) changed.add(traceId)
    for (const oldest of changed) {
      if (changed.size <= waitingMax) break
      changed.delete(oldest)
      isMissing = true
    }
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      if (changed.size === 0 && !isMissing) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      if (isMissing && performance.now() - reloadedAt >= reloadMs) {
        isMissing = false
        reloadedAt = performance.now()
        yield { type: 'reload' }
      }
      for (let sent = 0; sent < sentAtOnce && changed.size > 0; sent += readAtOnce) {
        const traceIds = [...changed].slice(0, readAtOnce)
        for (const traceId of traceIds) changed.delete(traceId)
        yield* await traces.read(projectId, traceIds, readOptions)
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    stopWatching()
    signal.removeEventListener('abort', onAbort)
  }
}
