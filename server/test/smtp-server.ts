import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/*
 * A mail server with scripted responses that records what it receives.
 */

export interface SmtpServer {
  /** The lines that it got. */
  readonly received: readonly string[]
  readonly smtpUrl: string
  close(): void
}

/** @param response what it answers to a line, or with '' as its greeting; nothing if undefined. */
export async function startSmtpServer(
  response: (line: string) => string | undefined = polite,
): Promise<SmtpServer> {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let isData = false
    let text = ''
    socket.on('error', () => undefined)
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        received.push(line)
        if (isData && line !== '.') continue
        isData = line === 'DATA'
        const reply = response(line)
        if (reply !== undefined) socket.write(`${reply}\r\n`)
      }
    })
    const greeting = response('')
    if (greeting !== undefined) socket.write(`${greeting}\r\n`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    ...{ received, smtpUrl: `smtp://127.0.0.1:${port}` },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Accepts every mail. */
export function polite(line: string): string {
  if (line === '') return '220 mail.example ready'
  if (line.startsWith('EHLO')) return '250 mail.example'
  return line === 'DATA' ? '354 go on' : '250 fine'
}

/** The last link in what was received, which is quoted-printable where lines are long. */
export function lastLinkIn({ received }: SmtpServer): string | undefined {
  const text = received.join('\n').replace(/=\n/g, '').replaceAll('=3D', '=')
  return [...text.matchAll(/https?:\/\/\S+/g)].at(-1)?.[0]
}
