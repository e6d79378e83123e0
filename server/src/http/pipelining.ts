import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '@assay/contract/limits.ts'

/*
 * Node parses all requests that arrive in one chunk and handles them at once, up to 1,500 of them, and keeps their
 * responses in memory until the client reads. Browsers and exporters do not pipeline.
 */

type Exchange = readonly [request: IncomingMessage, response: ServerResponse]

/** Handles one request of a connection at a time, and disconnects clients with too many waiting ones. */
export function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, Exchange[]>()
  const start = (socket: Socket, [request, response]: Exchange) => {
    // Emitted when the response has been sent, or the connection has closed.
    response.once('close', () => {
      const next = waiting.get(socket)?.shift()
      if (next === undefined || socket.destroyed) waiting.delete(socket)
      else start(socket, next)
    })
    handle(request, response)
  }
  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const queue = waiting.get(socket)
    if (queue === undefined) {
      waiting.set(socket, [])
      start(socket, [request, response])
    } else if (queue.length < limits.pipelinedRequests.value) {
      queue.push([request, response])
    } else {
      waiting.delete(socket)
      socket.destroy()
      stopParsing(socket)
    }
  }
}

/**
 * The parser goes on through the chunk although its socket is destroyed: 2,300 requests take it 50 ms, in which nobody
 * else is served. It stops where a request ends its protocol with an upgrade, which this value says in a part of Node
 * that is not documented. The rest of the chunk is dropped.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser?: { onIncoming: () => number } | null }
  if (parser) parser.onIncoming = () => skipRest
}

const skipRest = 2
