import type { Trace } from '../../domain/span.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

const mostAtOnce = 200
const mostWaiting = 2000

/** Between two rounds, so that a trace fed span by span is told a few times a second and not at each span. */
const pauseMs = 100

/**
 * The traces of a project as they are stored or change, until `signal` aborts. Under a flood the oldest
 * changes that nobody has read yet are left out: a watcher is told what is new, not everything.
 */
export async function* watchTraces(
  telemetry: TelemetryStore,
  projectId: string,
  signal: AbortSignal,
): AsyncGenerator<Trace> {
  const changed = new Set<string>()
  let wake = () => {}
  const stopListening = telemetry.onRecorded((change) => {
    if (change.projectId !== projectId) return
    for (const traceId of change.traceIds) changed.add(traceId)
    for (const oldest of changed) {
      if (changed.size <= mostWaiting) break
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
      const traceIds = [...changed].slice(0, mostAtOnce)
      for (const traceId of traceIds) changed.delete(traceId)
      yield* await telemetry.findTraces(projectId, traceIds)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    stopListening()
    signal.removeEventListener('abort', onAbort)
  }
}
