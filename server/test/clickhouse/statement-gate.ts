import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * A proxy before an engine, for tests of what happens when a process ends, or another one works, between two of its
 * statements.
 */

export interface StatementGate {
  readonly url: string
  /** Cuts the connection of each statement that contains this text, until the next call. */
  cut(text: string | undefined): void
  /** Acknowledges each statement that contains this text without passing it on, until the next call. */
  lose(text: string | undefined): void
  /** Those that were lost. */
  readonly lost: readonly string[]
  /** Responds to each statement that contains this text with an error of this number, until the next call. */
  fail(text: string | undefined, code?: number): void
  /** Holds the next statement that contains this text. */
  hold(text: string): HeldStatement
  close(): Promise<void>
}

export interface HeldStatement {
  /** Resolves when the statement has arrived. */
  readonly reached: Promise<void>
  /** Lets it pass. */
  release(): void
}

export async function openStatementGate(engineUrl: string): Promise<StatementGate> {
  let cutText: string | undefined
  let lostText: string | undefined
  const lost: string[] = []
  let failure: { readonly text: string; readonly code: number } | undefined
  const holds: { readonly text: string; reach(): void; readonly released: Promise<void> }[] = []
  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { searchParams } = new URL(incoming.url ?? '/', engineUrl)
    const statement = searchParams.get('query') ?? body.toString()
    if (cutText !== undefined && statement.includes(cutText)) return void incoming.socket.destroy()
    if (lostText !== undefined && statement.includes(lostText)) {
      lost.push(statement)
      return void response.end()
    }
    if (failure !== undefined && statement.includes(failure.text)) {
      response.writeHead(500, { 'x-clickhouse-exception-code': failure.code })
      return void response.end(`Code: ${failure.code}. DB::Exception: It fails. (SOME_ERROR)`)
    }
    const at = holds.findIndex(({ text }) => statement.includes(text))
    if (at >= 0) {
      const [held] = holds.splice(at, 1)
      held!.reach()
      await held!.released
    }
    const { method, headers, url } = incoming
    const forwarded = request(new URL(url ?? '/', engineUrl), { method: method!, headers })
    forwarded.end(body)
    const [reply] = (await once(forwarded, 'response')) as [IncomingMessage]
    response.writeHead(reply.statusCode ?? 500, reply.headers)
    reply.pipe(response)
  }
  // As long as those that a server accepts.
  const server = createServer({ maxHeaderSize: 1_048_576 }, (incoming, response) => {
    respond(incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(text) {
      cutText = text
    },
    lose(text) {
      lostText = text
    },
    lost,
    fail(text, code = 1001) {
      failure = text === undefined ? undefined : { text, code }
    },
    hold(text) {
      const reached = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      holds.push({ text, reach: reached.resolve, released: released.promise })
      return { reached: reached.promise, release: released.resolve }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
