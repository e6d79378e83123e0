import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/*
 * One keep-alive connection that sends one request after another at minimal cost: on two cores the load
 * generator must not become the bottleneck.
 */

export interface Connection {
  /** Resolves when the complete response has arrived. */
  send(head: string, body: Buffer): Promise<{ status: number; body: Buffer }>
  close(): void
}

export async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.setNoDelay(true)
  await once(socket, 'connect')
  const reader = responseReader(socket)
  return {
    async send(head, body) {
      const length = body.byteLength === 0 ? '' : `content-length: ${body.byteLength}\r\n`
      socket.cork()
      socket.write(`${head}host: ${host}\r\n${length}\r\n`)
      if (body.byteLength > 0) socket.write(body)
      socket.uncork()
      return reader.next()
    },
    close: () => socket.destroy(),
  }
}

function responseReader(socket: Socket) {
  let chunks: Buffer[] = []
  let need = -1
  let size = 0
  let settle:
    | { resolve(response: { status: number; body: Buffer }): void; reject(error: Error): void }
    | undefined
  const check = () => {
    if (need === -1) {
      const joined = Buffer.concat(chunks)
      const end = joined.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = joined.toString('latin1', 0, end)
      need = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      chunks = [joined]
    }
    if (size < need) return
    const whole = Buffer.concat(chunks)
    const bodyAt = whole.indexOf('\r\n\r\n') + 4
    settle?.resolve({
      status: Number(whole.toString('latin1', 9, 12)),
      body: whole.subarray(bodyAt, need),
    })
    chunks = []
    size = 0
    need = -1
  }
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.byteLength
    check()
  })
  socket.on('close', () => settle?.reject(new Error('the connection was closed')))
  socket.on('error', () => undefined)
  return {
    next: () =>
      new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
        settle = { resolve, reject }
      }),
  }
}
