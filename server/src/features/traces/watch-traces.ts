import type { Trace } from '@assay/contract/traces.ts'
import type { CallReadOptions } from '../../http/call.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { withScoreCounts } from './serialize-trace.ts'

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

/**
 * The traces of a project as they are stored or changed, until the signal aborts. Under heavy load the oldest
 * unread changes are dropped. Repeated and late changes are harmless, because the current trace is read.
 */
export async function* watchTraces(
  telemetry: TelemetryStore,
  projectId: string,
  readOptions: CallReadOptions,
): AsyncGenerator<Trace> {
  const { signal } = readOptions
  const changed = new Set<string>()
  let wake = () => {}
  const stopWatching = telemetry.watchChanges(projectId, ({ traceIds }) => {
    for (const traceId of traceIds) changed.add(traceId)
    for (const oldest of changed) {
      if (changed.size <= waitingMax) break
      changed.delete(oldest)
    }
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      if (changed.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      for (let sent = 0; sent < sentAtOnce && changed.size > 0; sent += readAtOnce) {
        const traceIds = [...changed].slice(0, readAtOnce)
        for (const traceId of traceIds) changed.delete(traceId)
        const traces = await telemetry.findTraces(projectId, traceIds, readOptions)
        yield* await withScoreCounts(telemetry, projectId, traces, readOptions)
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    stopWatching()
    signal.removeEventListener('abort', onAbort)
  }
}
