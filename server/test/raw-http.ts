import { connect } from 'node:net'

/*
 * Requests as raw bytes, for what HTTP clients do not send.
 */

export interface RawResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends the text and returns every response until the server closes the connection. */
export async function sendRaw(origin: string, text: string): Promise<readonly RawResponse[]> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.setEncoding('utf8')
  let received = ''
  socket.on('data', (chunk: string) => {
    received += chunk
  })
  // The server may reset the connection when it does not read the rest.
  socket.on('error', () => undefined)
  socket.write(text)
  await new Promise((resolve) => socket.once('close', resolve))
  return received
    .split(/(?=HTTP\/1\.1 \d{3})/)
    .filter((answer) => answer !== '')
    .map(parsed)
}

function parsed(response: string): RawResponse {
  const end = response.indexOf('\r\n\r\n')
  const [start = '', ...lines] = response.slice(0, end).split('\r\n')
  const headers = lines.map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
  })
  return {
    status: Number(start.slice(9, 12)),
    headers: Object.fromEntries(headers),
    body: response.slice(end + 4),
  }
}
