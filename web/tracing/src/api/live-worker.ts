import { followStream, type LiveEvent } from './live-stream.ts'

/*
 * A worker that all tabs of the browser share. It opens one live stream per project for all of them: a browser opens
 * at most six connections to an origin over HTTP/1.1, so that a stream per tab would block the seventh tab.
 */

/** Leaves connections for other requests; the windows of further projects poll. */
const maxStreams = 3
const pollIntervalMs = 5_000

interface SharedStream {
  readonly subscribers: Set<MessagePort>
  readonly end: AbortController
  /** What a new subscriber has missed. */
  last: LiveEvent
}

const streams = new Map<string, SharedStream>()

addEventListener('connect', (event) => {
  for (const port of (event as MessageEvent).ports) serve(port)
})

/** The only message is the path of a stream, to subscribe, or null, to unsubscribe. */
function serve(port: MessagePort): void {
  let path: string | null = null
  port.onmessage = ({ data }: MessageEvent<string | null>) => {
    if (path !== null) unsubscribe(path, port)
    path = data
    if (path === null) port.close()
    else subscribe(path, port)
  }
}

function subscribe(path: string, port: MessagePort): void {
  const stream = streams.get(path) ?? open(path)
  stream.subscribers.add(port)
  port.postMessage(stream.last)
}

function open(path: string): SharedStream {
  const stream: SharedStream = {
    subscribers: new Set(),
    end: new AbortController(),
    last: { type: 'connecting' },
  }
  streams.set(path, stream)
  const onEvent = (event: LiveEvent) => {
    if (event.type !== 'trace') stream.last = event
    // The next subscriber tries again.
    if (event.type === 'refused') streams.delete(path)
    for (const port of stream.subscribers) port.postMessage(event)
  }
  if (streams.size > maxStreams) poll(onEvent, stream.end.signal)
  else void followStream(path, onEvent, stream.end.signal)
  return stream
}

/** Has the pages fetch what changed, without a connection between the requests. */
function poll(onEvent: (event: LiveEvent) => void, signal: AbortSignal): void {
  const timer = setInterval(() => onEvent({ type: 'connected' }), pollIntervalMs)
  signal.addEventListener('abort', () => clearInterval(timer))
  onEvent({ type: 'connected' })
}

function unsubscribe(path: string, port: MessagePort): void {
  const stream = streams.get(path)
  if (stream === undefined) return
  stream.subscribers.delete(port)
  if (stream.subscribers.size > 0) return
  stream.end.abort()
  streams.delete(path)
}
