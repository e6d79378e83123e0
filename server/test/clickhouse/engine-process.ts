import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Busboy } from '@fastify/busboy'
import { type EngineStatement, toEngineStatement } from './statement-text.ts'

/*
 * The ClickHouse engine behind its HTTP interface, in a process of its own: it ends by being killed, because the engine
 * crashes when a process exits soon after it has written. Prints its port. The arguments are the folder of its data and the
 * port, 0 for a free one.
 */

/** What is used of the package, which is installed in this folder, and only for the long tests. */
interface Session {
  queryAsync(
    statement: string,
    options?: { readonly format?: string },
  ): Promise<{ bytes(): Uint8Array }>
  queryStream(
    statement: string,
    options: { readonly format: string },
  ): AsyncIterable<{ raw(): Uint8Array }>
}
const { Session } = createRequire(import.meta.url)('chdb') as {
  /** @param folder of its data */
  readonly Session: new (
    folder: string,
  ) => Session
}

/** Each runs one statement at a time, in a thread. */
const sessionCount = 32

/** Announced in a header. */
const exceptionTag = randomBytes(8).toString('hex')

/** Of one field of a form, in bytes: the default of `http_max_field_value_size`, beyond which a server refuses it. */
const fieldSize = 131_072
/** `http_max_uri_size`, the default of a server: parameters of statements that are no reads are in the address. */
const addressSize = 1_048_576

/** Of the client, and of no statement. */
const otherParameters = new Set([
  ...['query', 'query_id', 'database', 'session_id', 'default_format', 'wait_end_of_query'],
])

const [, , folder = '', port = '0'] = process.argv
const sessions = Array.from({ length: sessionCount }, () => new Session(folder))
const free = [...sessions]
/** The one that each session uses. */
const databases = new Map<Session, string>()
const waiting: ((session: Session) => void)[] = []
/** Stops statements, and has the backups, each of which is in the memory of one session. */
const watchdog = new Session(folder)

// Parameters, which a server does not count, are part of the text here.
for (const session of [...sessions, watchdog]) {
  await session.queryAsync('SET max_query_size = 100000000')
}

const server = createServer({ maxHeaderSize: addressSize }, (request, response) => {
  void respond(request, response).catch((error: unknown) => fail(response, error))
})
// The default of a server. Streams block this process while they start: with a shorter time, it would then close
// connections on which a statement has just arrived.
server.keepAliveTimeout = 10_000
server.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (url.pathname === '/ping') return void response.end('Ok.\n')
  const { body, fields } = await readBody(request)
  const given = fields.get('query') ?? url.searchParams.get('query')
  const parameters = new Map<string, string>()
  const settings = new Map<string, string>()
  for (const [name, value] of [...url.searchParams, ...fields]) {
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value)
    else if (!otherParameters.has(name)) settings.set(name, value)
  }
  const statement = toEngineStatement({
    text: given ?? body,
    data: given === null || fields.size > 0 ? undefined : body,
    settings,
    parameters,
  })
  const database = url.searchParams.get('database') ?? 'default'
  // Before a stream starts, the engine runs subqueries, for which this process would wait.
  const isStreamed =
    url.searchParams.get('wait_end_of_query') !== '1' &&
    (statement.text.match(/\bSELECT\b/giu) ?? []).length === 1
  response.setHeader('content-type', 'text/plain; charset=UTF-8')
  response.setHeader('x-clickhouse-exception-tag', exceptionTag)
  await execute({ ...statement, database, isStreamed }, response)
}

interface Execution extends EngineStatement {
  readonly database: string
  /** Whether rows are sent before the statement is complete. */
  readonly isStreamed: boolean
}

/** Sends the result; a statement whose client has gone is stopped. */
async function execute(
  { text, format, database, isStreamed }: Execution,
  response: ServerResponse,
): Promise<void> {
  const session = /^(BACKUP|RESTORE)\b/u.test(text) ? watchdog : await take()
  const tag = randomUUID()
  let isWorking = true
  const gone = new Promise<void>((resolve) => response.once('close', resolve))
  void gone.then(() => {
    if (!isWorking) return
    watchdog.queryAsync(`KILL QUERY WHERE query LIKE '/* ${tag} */%' ASYNC`).catch(() => undefined)
  })
  try {
    if (response.destroyed) return
    if (databases.get(session) !== database) {
      await session.queryAsync(`USE ${database}`)
      databases.set(session, database)
    }
    if (!isStreamed || format === undefined) {
      const result = await session.queryAsync(`/* ${tag} */ ${text}`, {
        format: format ?? 'JSONCompactEachRow',
      })
      return void response.end(result.bytes())
    }
    for await (const chunk of session.queryStream(`/* ${tag} */ ${text}`, { format })) {
      isWorking = false
      if (!response.write(chunk.raw())) await Promise.race([once(response, 'drain'), gone])
      if (response.destroyed) return
      isWorking = true
    }
    response.end()
  } catch (error) {
    await forgetRows(session)
    throw error
  } finally {
    isWorking = false
    if (session !== watchdog) give(session)
  }
}

/** The engine keeps the rows that a statement had found when it was stopped, and a stream would send them as its own. */
async function forgetRows(session: Session): Promise<void> {
  await session.queryAsync('SELECT 1').catch(() => undefined)
}

async function take(): Promise<Session> {
  const session = free.pop()
  if (session !== undefined) return session
  return await new Promise((resolve) => waiting.push(resolve))
}

function give(session: Session): void {
  const next = waiting.shift()
  if (next === undefined) free.push(session)
  else next(session)
}

function fail(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const [, code = '0'] = /Code: (\d+)/u.exec(message) ?? []
  if (response.headersSent) return void response.end(toExceptionBlock(message))
  response.statusCode = 500
  response.setHeader('x-clickhouse-exception-code', code)
  response.end(message)
}

/** Follows the rows of a statement that failed after some were sent, as servers from 25.11 on send it. */
function toExceptionBlock(message: string): string {
  const marker = '__exception__'
  const length = Buffer.byteLength(message) + 1
  return `\r\n${marker}\r\n${exceptionTag}\n${message}\n${length} ${exceptionTag}\r\n${marker}\r\n`
}

/** The body as text, or the fields of a form. */
async function readBody(
  request: IncomingMessage,
): Promise<{ readonly body: string; readonly fields: ReadonlyMap<string, string> }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return { body: bytes.toString(), fields: new Map() }
  const form = new Busboy({ headers: { 'content-type': type }, limits: { fieldSize } })
  const fields = new Map<string, string>()
  const tooLong: string[] = []
  form.on('field', (name, value, _isNameCut, isValueCut) => {
    fields.set(name, value)
    if (isValueCut) tooLong.push(name)
  })
  form.end(bytes)
  await once(form, 'finish')
  if (tooLong.length > 0) throw new Error(`Field value too long: ${tooLong.join(', ')}`)
  return { body: '', fields }
}
