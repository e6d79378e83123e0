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
  /** Whether further requests get no response. */
  isSilent: boolean
  close(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = []
  const statuses: number[] = []
  const server = createServer((request, response) => {
    if (receiver.isSilent) return
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
  const receiver: WebhookReceiver = {
    ...{ url: `http://127.0.0.1:${port}/hook?token=secret-token`, received, statuses },
    isSilent: false,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
