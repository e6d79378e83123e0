import { type ClientRequest, request } from 'node:http'
import type { Credentials, Service } from './started-app.ts'

/** Requests whose bodies never end. */
export interface UnfinishedBodies {
  /** Sends all but the last byte of a body; resolves when it is sent, or when the service has responded. */
  start(url: string, sizeBytes: number, headers: Credentials): Promise<void>
  /** Closes their connections. */
  abandon(): void
}

export function unfinishedBodies(service: () => Service): UnfinishedBodies {
  const sent: ClientRequest[] = []
  return {
    async start(path, sizeBytes, headers) {
      const one = request(service().api + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': sizeBytes, ...headers },
      })
      sent.push(one)
      one.on('error', () => undefined)
      await new Promise<void>((resolve) => {
        one.on('response', () => resolve())
        one.write(Buffer.alloc(sizeBytes - 1, ' '), () => resolve())
      })
    },
    abandon() {
      for (const one of sent.splice(0)) one.destroy()
    },
  }
}
