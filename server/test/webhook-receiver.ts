import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * A server that receives webhooks: records each request and responds as it is told to.
 */

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface WebhookReceiver {
  readonly url: string
  readonly received: ReceivedRequest[]
  /** Of the next responses, in turn; then 200. */
  readonly statuses: number[]
  close(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = []
  const statuses: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      const status = statuses.shift() ?? 200
      response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {})
      response.end('what only the receiver knows')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `http://127.0.0.1:${port}/hook?token=secret-token`, received, statuses },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
