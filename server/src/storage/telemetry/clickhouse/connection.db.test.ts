import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { toErrorText } from '../../../platform/error-text.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { openLog } from '../../../platform/log.ts'
import { ReadTimeout } from '../port/read-options.ts'
import type { Row } from './columns.ts'
import { type Connection, openConnection } from './connection.ts'
import { inspectTables } from './installation-identity.ts'

/*
 * The connection with a server that fails in every way. What it does with statements is in clickhouse-reads.db.test.ts.
 */

type Respond = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

const one: Respond = (_request, response) => void response.end('[1]\n')
const never: Respond = () => undefined

interface TestServer {
  /** How it responds from now on. */
  respond: Respond
  ping: Respond
  readonly url: string
  /** The addresses of the statements that it has received. */
  readonly statements: URL[]
  /** Refuses connections from now on. */
  stop(): Promise<void>
  start(): Promise<void>
}

async function startServer(): Promise<TestServer> {
  const statements: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname === '/ping') return void started.ping(request, response)
    statements.push(url)
    void started.respond(request, response)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const started: TestServer = {
    ...{ respond: one, ping: one, statements, url: `http://127.0.0.1:${port}` },
    async stop() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
    async start() {
      await listen(port)
    },
  }
  return started
}

let server: TestServer
let connection: Connection
const logged: string[] = []
beforeEach(async () => {
  logged.length = 0
  server = await startServer()
  const log = openLog('warn', (line) => logged.push(line))
  connection = openConnection({ url: server.url, database: 'd', log })
})
afterEach(async () => {
  await connection.close()
  await server.stop()
})

const select = () => connection.rows('SELECT 1', {})
const insert = () => connection.insertRows('t (a)', [[1]])
const stopsResponding = {
  'refuses connections': () => server.stop(),
  'accepts connections and never responds': () => {
    server.respond = never
    server.ping = never
  },
  'dies after the first rows': async () => {
    server.respond = (_request, response) => {
      response.write('[1]\n', () => response.destroy())
    }
    server.ping = (_request, response) => void response.destroy()
  },
}

describe.each(Object.entries(stopsResponding))('a server that %s', (_name, fail) => {
  test.each([
    ['a read', select],
    ['an insert', insert],
    ['a change', () => connection.execute('DELETE FROM t')],
  ])('%s rejects with a time to retry after', async (_statement, run) => {
    await run()
    await fail()
    const error = await run().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Unavailable)
    expect((error as Unavailable).retryAfterSeconds).toBeGreaterThan(0)
  })

  test('receives no more statements until it responds again, which is noticed without any', async () => {
    await fail()
    await Promise.allSettled([select(), insert()])
    await eventually(async () => expect(await connection.probe()).toBe(false))
    const received = server.statements.length
    for (const run of [select, insert]) await expect(run()).rejects.toThrow(Unavailable)
    expect(server.statements).toHaveLength(received)
    await server.stop()
    await server.start()
    server.respond = one
    server.ping = one
    await eventually(async () => expect(await connection.probe()).toBe(true))
    expect(await select()).toEqual([[1]])
    expect(logged).toHaveLength(2)
  })
})

/** As an operator reads it. */
const failure = (run: () => Promise<unknown>) => run().then(() => 'none', toErrorText)

test('a server that never responds is reported with its address, in errors and in the log', async () => {
  server.respond = never
  server.ping = never
  const address = `${new URL(server.url).host}/d`
  const text = `ClickHouse cannot be reached: ${address} did not respond within a second. Check ASSAY_CLICKHOUSE_URL.`
  expect(await failure(select)).toBe(text)
  // It is refused at once, for the same reason.
  expect(await failure(insert)).toBe(text)
  expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
    { server: address, error: text },
  ])
})

const page = '<html>\n<head><title>It is not here</title></head>\n</html>\n'
const responds =
  (status: number, body = page): Respond =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end(body)

describe('what responds instead of ClickHouse', () => {
  const inspected = (database = 'assay') =>
    failure(() => inspectTables({ url: server.url, database, cluster: undefined }))

  test.each([
    ['a page', 200, page],
    ['a page in one line', 200, '<html></html>'],
    ['a page that is not found', 404, page],
    ['a redirect', 302, ''],
    ['the native port of ClickHouse', 400, 'You must use port 8123 for HTTP.\r\n'],
  ])('is refused at a start: %s', async (_what, status, body) => {
    server.respond = responds(status, body)
    server.ping = server.respond
    expect(await inspected()).toBe(
      'What responds at ASSAY_CLICKHOUSE_URL is not ClickHouse. Name its HTTP interface, usually port 8123.',
    )
  })

  test('is awaited at a start when it is a proxy that does not reach ClickHouse', async () => {
    server.respond = responds(502)
    server.ping = server.respond
    expect(await inspected()).toBe(
      'ClickHouse cannot be reached: something else responds, with HTTP 502. Check ASSAY_CLICKHOUSE_URL.',
    )
  })

  test.each([502, 404, 200])(
    'with %i while the service runs, is an outage that is reported without its page',
    async (status) => {
      server.respond = responds(status)
      const text =
        'ClickHouse cannot be reached: something else responds. Check ASSAY_CLICKHOUSE_URL.'
      await expect(select()).rejects.toBeInstanceOf(Unavailable)
      expect(await failure(select)).toBe(text)
      server.respond = one
      await eventually(async () => expect(await select()).toEqual([[1]]))
    },
  )

  test('is ClickHouse when the text is one of its errors, also without a type', async () => {
    server.respond = responds(500, 'std::exception. Code: 1001, type: it, e.what() = bad')
    server.ping = server.respond
    expect(await inspected()).toMatch(/^ClickHouse cannot be reached: std::exception\. Code: 1001/)
  })
})

test('a wrong password is reported in one sentence', async () => {
  server.respond = (_request, response) => {
    response.writeHead(403, { 'x-clickhouse-exception-code': '516' })
    response.end(
      'Code: 516. DB::Exception: assay: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED) (version 26.2.1.1)\n',
    )
  }
  expect(await failure(select)).toBe(
    'ClickHouse refuses the user name, password or address of the service: assay: Authentication failed: password is incorrect, or there is no user with such name. Check ASSAY_CLICKHOUSE_URL.',
  )
})

describe('a server that answers pings', () => {
  test('is not there for a probe while it refuses the user', async () => {
    server.respond = (_request, response) => {
      response.writeHead(403, { 'x-clickhouse-exception-code': '516' })
      response.end(
        'Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED)',
      )
    }
    expect(await connection.probe()).toBe(false)
    server.respond = one
    expect(await connection.probe()).toBe(true)
  })

  test.each<[string, Respond]>([
    [
      'runs too many statements',
      (_request, response) => {
        response.writeHead(500, { 'x-clickhouse-exception-code': '202' })
        response.end(
          'Code: 202. DB::Exception: Too many simultaneous queries. (TOO_MANY_SIMULTANEOUS_QUERIES)',
        )
      },
    ],
    ['takes its time for statements', never],
  ])('is there while it %s', async (_situation, respond) => {
    server.respond = respond
    expect(await connection.probe()).toBe(true)
  })
})

test.each([
  ['too many statements', 202],
  ['no thread for a statement', 439],
  ['an error of the disk', 75],
  ['no space', 243],
])('a statement that fails because of %s can be sent again', async (_situation, code) => {
  server.respond = (_request, response) => {
    response.writeHead(500, { 'x-clickhouse-exception-code': String(code) })
    response.end(`Code: ${code}. DB::Exception: It fails. (SOME_ERROR)`)
  }
  await expect(select()).rejects.toThrow(Unavailable)
})

test('a slow statement alone is waited for, and so is one beside it', async () => {
  const waiting: ServerResponse[] = []
  const pinged = Promise.withResolvers<void>()
  server.respond = (_request, response) => void waiting.push(response)
  server.ping = (_request, response) => {
    response.end('Ok.\n')
    pinged.resolve()
  }
  const reads = [select(), select()]
  await pinged.promise
  await eventually(() => expect(waiting).toHaveLength(2))
  for (const response of waiting) response.end('[1]\n')
  expect(await Promise.all(reads)).toEqual([[[1]], [[1]]])
})

test('an aborted read ends its request, also after its first rows', async () => {
  for (const rows of ['', '[1]\n']) {
    const ended = Promise.withResolvers<void>()
    server.respond = (_request, response) => {
      response.flushHeaders()
      response.write(rows)
      response.once('close', () => ended.resolve())
    }
    const controller = new AbortController()
    const reason = new Error('no longer needed')
    const reading = (async () => {
      for await (const _ of connection.stream('SELECT 1', {}, { signal: controller.signal })) {
        controller.abort(reason)
      }
    })()
    if (rows === '') {
      await eventually(() => expect(server.statements).toHaveLength(1))
      controller.abort(reason)
    }
    await expect(reading).rejects.toBe(reason)
    await ended.promise
  }
})

describe('what the server refuses although the statement is right', () => {
  const refusals = {
    AUTHENTICATION_FAILED: [516, /user name, password or address/],
    ACCESS_DENIED: [497, /lacks a right/],
    UNKNOWN_DATABASE: [81, /tables in ClickHouse are missing/],
    UNKNOWN_TABLE: [60, /tables in ClickHouse are missing/],
    UNKNOWN_STATUS_OF_INSERT: [319, /most replicas/],
    UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE: [286, /too few live replicas/],
    NO_ZOOKEEPER: [225, /lost its Keeper/],
    ABORTED: [236, /is stopping/],
  } as const

  // Exporters drop what is answered with 500.
  test.each(Object.entries(refusals))('%s is retried by clients', async (name, [code, message]) => {
    server.respond = (_request, response) => {
      response.statusCode = 500
      response.setHeader('x-clickhouse-exception-code', code)
      response.end(`Code: ${code}. DB::Exception: It is so. (${name}) (version 26.10.1.1)`)
    }
    for (const run of [select, insert]) {
      const error = await run().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Unavailable)
      expect((error as Unavailable).message).toMatch(message)
    }
  })
})

test('a server that is too old is refused before anything is created', async () => {
  server.respond = (_request, response) => void response.end('["25.8.1.1"]\n')
  const settings = { url: server.url, database: 'assay', cluster: undefined }
  await expect(inspectTables(settings)).rejects.toThrow('ClickHouse 25.8.1.1 is too old')
  expect(server.statements).toHaveLength(1)
})

/** As servers send it after rows of a statement that fails. */
const timeoutBlock = (tag: string) => {
  const message =
    'Code: 159. DB::Exception: Timeout exceeded: elapsed 5 s, maximum: 5 s. (TIMEOUT_EXCEEDED)'
  const marker = '__exception__'
  return `\r\n${marker}\r\n${tag}\n${message}\n${message.length + 1} ${tag}\r\n${marker}\r\n`
}

describe('a statement that fails after rows were sent', () => {
  const readAll = async () => {
    const received: Row[] = []
    for await (const rows of connection.stream('SELECT 1', {})) received.push(...rows)
    return received
  }
  const tag = 'abcdefghijklmnop'
  const sent: Readonly<Record<string, readonly string[]>> = {
    'with its rows': [`[1]\n${timeoutBlock(tag)}`],
    'after its rows': ['[1]\n', timeoutBlock(tag)],
    'in the middle of a row': ['[1]\n[', timeoutBlock(tag)],
  }
  test.each(Object.entries(sent))('rejects when its error comes %s', async (_name, parts) => {
    server.respond = async (_request, response) => {
      response.setHeader('x-clickhouse-exception-tag', tag)
      for (const part of parts) {
        await new Promise((resolve) => response.write(part, resolve))
      }
      response.end()
    }
    await expect(readAll()).rejects.toThrow(ReadTimeout)
  })

  test('is not taken for a response of something else when its error comes as text', async () => {
    server.respond = (_request, response) =>
      void response.end('[1]\nCode: 159. DB::Exception: Timeout. (TIMEOUT_EXCEEDED)\n')
    const text = await failure(readAll)
    expect(text).toContain('Code: 159')
    expect(text).not.toContain('something else')
  })

  test('rejects when its error arrives in pieces, or as text', async () => {
    for (const text of [
      timeoutBlock(tag),
      'Code: 159. DB::Exception: Timeout. (TIMEOUT_EXCEEDED)\n',
    ]) {
      server.respond = async (_request, response) => {
        response.setHeader('x-clickhouse-exception-tag', tag)
        response.write('[1]\n')
        for (const letter of text) await new Promise((resolve) => response.write(letter, resolve))
        response.end()
      }
      await expect(readAll()).rejects.toThrow(Unavailable)
    }
  })
})

test('no setting of the server makes it return, or store again, a part of a result, or outdated or deleted rows', async () => {
  await connection.rows('SELECT 1', {}, { timeoutMs: 1500 })
  await connection.execute('INSERT INTO t SELECT 1')
  const settings = server.statements[0]!.searchParams
  const modes = ['read', 'result', 'timeout', 'group_by', 'sort', 'set', 'distinct', 'join']
  for (const { searchParams } of server.statements) {
    for (const what of modes) expect(searchParams.get(`${what}_overflow_mode`), what).toBe('throw')
    expect([searchParams.get('limit'), searchParams.get('offset')]).toEqual(['0', '0'])
    expect(searchParams.get('partial_result_on_first_cancel')).toBe('0')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      do_not_merge_across_partitions_select_final: '0',
      use_skip_indexes_if_final_exact_mode: '1',
      apply_deleted_mask: '1',
      asterisk_include_materialized_columns: '0',
      asterisk_include_alias_columns: '0',
    })
  }
  expect(settings.get('max_execution_time')).toBe('1.5')
  expect(settings.get('skip_unavailable_shards')).toBe('0')
  expect(Number(settings.get('max_memory_usage'))).toBeGreaterThan(0)
})

test('a statement that is aborted before it is sent closes no connection under a later one', async () => {
  const aborted = new AbortController()
  await select()
  await sleep(1_000)
  const statement = connection.rows('SELECT 1', {}, { signal: aborted.signal })
  aborted.abort()
  await expect(statement).rejects.toThrow('aborted')
  await sleep(1_000)
  server.respond = async (_request, response) => {
    await sleep(2_000)
    response.end('[1]\n')
  }
  expect(await select()).toEqual([[1]])
})

test('a connection that has been idle is closed before the server closes it', async () => {
  const closed = new Promise<void>((resolve) => {
    server.respond = (request, response) => {
      request.socket.once('end', resolve)
      response.end('[1]\n')
    }
  })
  await select()
  await expect(closed).resolves.toBeUndefined()
})
