import { base } from '@assay/account/api/base.ts'
import { buildPath } from '@assay/contract/client.ts'
import { watchTraces } from '@assay/contract/traces.ts'
import { followStream, type LiveEvent } from './live-stream.ts'

/*
 * The traces of a project as they are stored. Disconnects while the page is hidden.
 */

/** Watches until `signal` aborts, or the stream is refused. */
export async function watch(
  projectId: string,
  onEvent: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await untilVisible(signal)
    if (signal.aborted) return
    const visit = new AbortController()
    let isRefused = false
    const stop = () => visit.abort()
    const stopWhenHidden = () => document.hidden && visit.abort()
    signal.addEventListener('abort', stop)
    document.addEventListener('visibilitychange', stopWhenHidden)
    await follow(
      base + buildPath(watchTraces, { projectId }),
      (event) => {
        isRefused = event.type === 'refused'
        onEvent(event)
      },
      visit.signal,
    )
    signal.removeEventListener('abort', stop)
    document.removeEventListener('visibilitychange', stopWhenHidden)
    if (isRefused) return
    onEvent({ type: 'waiting' })
  }
}

/** Through the stream that the tabs share, or a stream of this page in browsers without shared workers. */
const follow = 'SharedWorker' in globalThis ? followShared : followStream

function followShared(
  path: string,
  onEvent: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), { type: 'module' })
  const { port } = worker
  return new Promise((resolve) => {
    function end(): void {
      port.postMessage(null)
      port.close()
      resolve()
    }
    port.onmessage = ({ data }: MessageEvent<LiveEvent>) => {
      if (signal.aborted) return
      onEvent(data)
      if (data.type === 'refused') end()
    }
    // The worker could not be loaded, such as after an update of the service.
    worker.addEventListener('error', () => resolve(followStream(path, onEvent, signal)))
    signal.addEventListener('abort', end, { once: true })
    port.postMessage(path)
  })
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', settle)
      resolve()
    }
    document.addEventListener('visibilitychange', settle)
    signal.addEventListener('abort', settle, { once: true })
  })
}
