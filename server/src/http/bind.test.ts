import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fromMemory } from '@assay/contract/anonymous-bounds.ts'
import { type AnyEndpoint, endpoint } from '@assay/contract/endpoint.ts'
import { appBody, uploadedFile } from '@assay/contract/fields.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Failure, Unavailable } from '../platform/failure.ts'
import { openLog } from '../platform/log.ts'
import { binder } from './bind.ts'
import { openBodyShares } from './body-shares.ts'
import { AlternativeResponse, JsonPieces, ReadyJson } from './call.ts'
import { openCursors } from './cursor.ts'
import { checkedJson } from './json-body.ts'
import { openJsonResponses } from './json-responses.ts'
import { openStreams } from './open-streams.ts'
import { openRequestTurns } from './request-turns.ts'
import { createServer } from './server.ts'
import { sessionCookie, signInCookie } from './session-cookie.ts'

/*
 * The forms that an endpoint may declare, including those that no endpoint has yet.
 */

const open = {
  method: 'POST',
  tag: 'Fixtures',
  summary: 'A fixture',
  access: { by: 'anonymous', bounds: fromMemory },
  cost: 'cheap',
} as const
const item = z.object({ n: z.number() })

const bare = endpoint({
  ...open,
  path: '/bare',
  reply: 'bare',
  success: { status: 200, data: item },
  errors: ['CONFLICT'],
})
const lines = endpoint({
  ...open,
  path: '/lines',
  reply: 'json-lines',
  success: { status: 200, data: item },
})
const events = endpoint({
  ...open,
  path: '/events',
  reply: 'events',
  success: { status: 200, data: item },
})
const upload = endpoint({
  ...open,
  path: '/upload',
  body: { as: 'multipart', field: 'file', schema: uploadedFile, maxBytes: 2000 },
  success: { status: 201, data: z.object({ name: z.string(), bytes: z.number() }) },
})
const firstFive = endpoint({
  ...open,
  path: '/first-five',
  body: appBody(
    z.object({
      list: z.array(z.number()).min(2),
      ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, z.string()])),
    }),
  ),
  invalid: 'first-five',
  success: { status: 200, data: item },
})
const partial = endpoint({
  ...open,
  path: '/partial',
  body: appBody(z.object({ isWhole: z.boolean() })),
  success: { status: 200, data: item, alternative: { status: 202, when: 'if it is partial' } },
})
const chatLike = endpoint({
  ...open,
  path: '/chat-like',
  access: { by: 'session' },
  refusals: 'chat',
  reply: 'bare',
  success: { status: 200, data: item },
})
const chatBody = endpoint({
  ...open,
  path: '/chat-body',
  refusals: 'chat',
  query: z.object({ org: z.string() }),
  body: { ...appBody(z.object({ text: z.string() })), malformed: 400, maxBytes: 100 },
  success: { status: 200, data: item },
})
const chatUpload = endpoint({
  ...open,
  path: '/chat-upload',
  refusals: 'chat',
  body: { as: 'multipart', field: 'file', schema: uploadedFile, maxBytes: 200 },
  success: { status: 200, data: item },
})
const signedIn = endpoint({
  ...open,
  path: '/signed-in',
  access: { by: 'session' },
  body: appBody(item),
  success: { status: 200, data: item },
})
const fixtures: readonly AnyEndpoint[] = [
  ...[bare, lines, events, upload, firstFive, partial, chatLike, chatBody, chatUpload, signedIn],
]

const logged: string[] = []
const stopping = new AbortController()
let refusal: Error | undefined
/** What `bare` responds with. */
let largeText: string | undefined
/** How many bodies were checked in another thread. */
let largeBodies = 0
/** How often the handler of `bare` has run. */
let handled = 0
/** Makes the handler of `bare` wait until its client has disconnected. */
let onWaiting: ((signal: AbortSignal) => void) | undefined
let source: () => AsyncIterable<{ n: number } | JsonPieces>
/** Makes requests wait before their endpoint until their client has disconnected. */
let isHeldBack = false
let api: string
let server: ReturnType<typeof createServer>

beforeAll(async () => {
  const log = openLog('error', (line) => logged.push(line))
  server = createServer({
    log,
    endpoints: fixtures,
    trustProxy: false,
    turns: openRequestTurns(),
    stalledMs: 100,
  })
  server.addHook('onRequest', async ({ raw }) => {
    if (isHeldBack) await once(raw.socket, 'close')
  })
  const noAccess = () => Promise.reject(new Error('there are no accounts here'))
  const url = 'http://localhost'
  const ports = {
    log,
    product: 'tracing',
    access: {
      keyCaller: noAccess,
      findSession: noAccess,
      getMemberCaller: noAccess,
      findProjectCaller: noAccess,
      getProjectCaller: noAccess,
      getNamedProjectCaller: noAccess,
    },
    cookie: sessionCookie(url),
    signInCookie: signInCookie(url),
    origins: [url],
    bodyShares: openBodyShares(),
    checkLargeJson: async (declared: AnyEndpoint, bytes: Uint8Array<ArrayBuffer>) => {
      largeBodies += 1
      return checkedJson(declared, bytes)
    },
    cursors: openCursors(Buffer.alloc(32)),
    streams: openStreams(stopping.signal),
    responses: openJsonResponses(),
  } as const
  const bind = binder([{ server, ports }])
  bind(bare, async ({ signal }) => {
    handled += 1
    if (onWaiting !== undefined) {
      onWaiting(signal)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw signal.reason as Error
    }
    if (refusal !== undefined) throw refusal
    return largeText === undefined ? { n: 1 } : new ReadyJson(JSON.stringify(largeText))
  })
  bind(lines, async () => source())
  bind(events, async ({ signal }) => until(signal))
  bind(upload, async ({ body }) => ({ name: body.name, bytes: body.bytes.byteLength }))
  bind(firstFive, async () => ({ n: 1 }))
  bind(partial, async ({ body }) => (body.isWhole ? { n: 2 } : new AlternativeResponse({ n: 1 })))
  bind(chatLike, async () => ({ n: 1 }))
  bind(chatBody, async () => ({ n: 1 }))
  bind(chatUpload, async () => ({ n: 1 }))
  bind(signedIn, async () => ({ n: 1 }))
  api = `${await server.listen({ host: '127.0.0.1', port: 0 })}/api/v1`
})
afterAll(() => server.close())
beforeEach(() => {
  refusal = undefined
  logged.length = 0
})

let ended: () => void
const hasEnded = new Promise<void>((resolve) => {
  ended = resolve
})

async function* until(signal: AbortSignal): AsyncGenerator<{ n: number }> {
  yield { n: 1 }
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve)
  })
  ended()
}

const post = (path: string, init: RequestInit = {}) =>
  fetch(api + path, { method: 'POST', ...init })

test('a response has the alternative status that its handler chooses', async () => {
  const send = async (isWhole: boolean) => {
    const headers = { 'content-type': 'application/json' }
    const response = await post('/partial', { body: JSON.stringify({ isWhole }), headers })
    return [response.status, await response.json()]
  }
  expect(await send(true)).toEqual([200, { data: { n: 2 } }])
  expect(await send(false)).toEqual([202, { data: { n: 1 } }])
})

describe('a bare reply', () => {
  test('is the object itself, and its refusals carry no details', async () => {
    expect(await (await post('/bare')).json()).toEqual({ n: 1 })
    refusal = new Failure('CONFLICT', 'Taken.', { details: { by: 'somebody' } })
    const refused = await post('/bare')
    expect(refused.status).toBe(409)
    expect(await refused.json()).toEqual({ error: { code: 'CONFLICT', message: 'Taken.' } })
  })

  test('has its own code for a missing session', async () => {
    const refused = await post('/chat-like')
    expect(refused.status).toBe(401)
    expect(await refused.json()).toEqual({
      error: { code: 'UNAUTHENTICATED', message: 'Sign in to continue.' },
    })
  })
})

describe('refusals in the form of chat', () => {
  const json = { 'content-type': 'application/json' }
  test.each<[string, string, RequestInit, number, string]>([
    ['another query', '/chat-body', { headers: json, body: '{"text":""}' }, 400, 'INVALID_QUERY'],
    ['another body', '/chat-body?org=a', { headers: json, body: '{}' }, 400, 'INVALID_BODY'],
    ['no JSON', '/chat-body?org=a', { headers: json, body: '{' }, 400, 'INVALID_BODY'],
    ['another type', '/chat-body?org=a', { body: '{"text":""}' }, 400, 'INVALID_BODY'],
    [
      ...(['a long body', '/chat-body?org=a'] as const),
      ...([{ headers: json, body: `{"text":"${'x'.repeat(100)}"}` }, 400, 'INVALID_BODY'] as const),
    ],
    ['no file', '/chat-upload', { body: new FormData() }, 400, 'INVALID_BODY'],
    ['no form', '/chat-upload', { headers: json, body: '{}' }, 400, 'INVALID_BODY'],
    ['a large file', '/chat-upload', { body: formWith('x'.repeat(300)) }, 413, 'TOO_LARGE'],
  ])('%s: the code, without details', async (_what, path, request, status, code) => {
    const refused = await fetch(api + path, { method: 'POST', ...request })
    expect(refused.status).toBe(status)
    expect(await refused.json()).toEqual({ error: { code, message: expect.any(String) } })
  })
})

function formWith(text: string): FormData {
  const form = new FormData()
  form.set('file', new Blob([text]), 'a.txt')
  return form
}

test('a client that does not read its response is disconnected', async () => {
  largeText = 'x'.repeat(50_000_000)
  const accepted = once(server.server, 'connection') as Promise<[Socket]>
  const client = connect(Number(new URL(api).port), '127.0.0.1')
  client.write('POST /api/v1/bare HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n')
  const [socket] = await accepted
  expect(await once(socket, 'close')).toBeDefined()
  largeText = undefined
  client.destroy()
})

test('a request whose client has disconnected before its endpoint is reached is not handled, and no defect', async () => {
  const before = handled
  isHeldBack = true
  const accepted = once(server.server, 'connection') as Promise<[Socket]>
  const client = connect(Number(new URL(api).port), '127.0.0.1')
  client.write('POST /api/v1/bare HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n')
  const [socket] = await accepted
  await once(server.server, 'request')
  client.destroy()
  await once(socket, 'close')
  isHeldBack = false
  // Served after the first.
  expect((await post(bare.path)).status).toBe(200)
  expect([handled - before, logged]).toEqual([1, []])
})

describe('what a handler throws', () => {
  test('because the client has disconnected is not a defect', async () => {
    const waiting = Promise.withResolvers<AbortSignal>()
    onWaiting = waiting.resolve
    const client = new AbortController()
    const request = post(bare.path, { signal: client.signal })
    const signal = await waiting.promise
    onWaiting = undefined
    const gone = new Promise((resolve) => signal.addEventListener('abort', resolve))
    client.abort()
    await expect(request).rejects.toThrow()
    await gone
    // A later request is served after the handler of the first has ended.
    refusal = undefined
    await post(bare.path)
    expect(logged).toEqual([])
  })

  test('and the contract does not declare is a defect: it is logged, and the response is generic', async () => {
    for (const error of [new Failure('NOT_FOUND', 'secret words'), new TypeError('secret words')]) {
      refusal = error
      const response = await post('/bare')
      expect(response.status).toBe(500)
      expect(await response.text()).not.toContain('secret')
    }
    expect(logged).toHaveLength(2)
    expect(logged[0]).toContain('undeclared NOT_FOUND')
  })

  test('because it is unavailable comes with the time to retry after', async () => {
    refusal = new Unavailable('Busy.', 7)
    const response = await post('/bare')
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7'])
    expect(logged).toEqual([])
  })
})

describe('JSON lines', () => {
  test('are one value per line', async () => {
    source = async function* numbers() {
      yield { n: 1 }
      yield { n: 2 }
    }
    const response = await post('/lines')
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(await response.text()).toBe('{"n":1}\n{"n":2}\n')
  })

  test('whose source fails end with an error line that reveals nothing', async () => {
    source = async function* broken() {
      yield { n: 1 }
      throw new Error('secret words')
    }
    const [first, second] = (await (await post('/lines')).text()).trim().split('\n')
    expect(first).toBe('{"n":1}')
    expect(JSON.parse(second ?? '')).toEqual({
      type: 'error',
      message: 'An unexpected error occurred.',
    })
    expect(logged.join()).toContain('secret words')
  })
})

describe('a JSON line in pieces', () => {
  const line = (pieces: () => AsyncIterable<string | Uint8Array>) => {
    source = async function* lineOf() {
      yield new JsonPieces(pieces())
      yield { n: 2 }
    }
  }

  test('is one line, sent while it is read', async () => {
    const isRead = Promise.withResolvers<void>()
    line(async function* pieces() {
      yield '{"n":'
      await isRead.promise
      yield Buffer.from('1}')
    })
    const response = await post('/lines')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let received = (await reader.read()).value ?? ''
    expect(received).toBe('{"n":')
    isRead.resolve()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      received += next.value
    }
    expect(received).toBe('{"n":1}\n{"n":2}\n')
  })

  test('that fails is followed by an error line', async () => {
    line(async function* pieces() {
      yield '{"n":'
      throw new Error('secret words')
    })
    const received = await (await post('/lines')).text()
    expect(received.split('\n')[0]).toBe('{"n":')
    expect(JSON.parse(received.split('\n')[1]!)).toMatchObject({ type: 'error' })
    expect(received).not.toContain('secret')
  })
})

describe('an event stream', () => {
  test('ends its source when the client disconnects', async () => {
    const leave = new AbortController()
    const response = await post('/events', { signal: leave.signal })
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toBe('data: {"n":1}\n\n')
    leave.abort()
    await hasEnded
  })
})

describe('a multipart body', () => {
  const form = (field: string, size: number) => {
    const data = new FormData()
    data.append('note', 'text beside it')
    data.append(field, new Blob([new Uint8Array(size)]), '../../notes.txt')
    return { body: data }
  }

  test('passes the file of the declared field to the handler, by a name without folders', async () => {
    const response = await post('/upload', form('file', 500))
    expect(await response.json()).toEqual({ data: { name: 'notes.txt', bytes: 500 } })
  })

  test.each([
    ['another field', form('other', 5), 400],
    ['too much', form('file', 2000), 413],
    ['JSON', { body: '{}', headers: { 'content-type': 'application/json' } }, 415],
    ['no boundary', { body: 'x', headers: { 'content-type': 'multipart/form-data' } }, 400],
    [
      'a torn body',
      {
        body: '--x\r\nContent-Disp',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
      400,
    ],
  ])('%s is refused', async (_situation, init, status) => {
    const response = await post('/upload', init)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR' } })
  })
})

test('a body beyond 64 KiB is checked in another thread, and a smaller one is not', async () => {
  const headers = { 'content-type': 'application/json' }
  const send = async (sizeBytes: number) => {
    const before = largeBodies
    const { status } = await post('/partial', {
      ...{ headers, body: '{"isWhole":true}'.padEnd(sizeBytes) },
    })
    return [status, largeBodies - before]
  }
  expect(await send(64 * 1024)).toEqual([200, 0])
  expect(await send(64 * 1024 + 1)).toEqual([200, 1])
})

test('a large body of somebody who is not signed in is not read', async () => {
  const before = largeBodies
  const headers = { 'content-type': 'application/json' }
  const response = await post('/signed-in', { headers, body: '{"n":1}'.padEnd(100_000) })
  expect([response.status, largeBodies - before]).toEqual([401, 0])
})

describe('an invalid body reported by its first five problems', () => {
  test('has each with its code, path and sentence', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await post('/first-five', { body: '{"list":[1]}', headers })
    const { error } = (await response.json()) as { error: { details: { issues: unknown[] } } }
    expect(response.status).toBe(400)
    expect(error.details.issues).toHaveLength(5)
    expect(error.details.issues[0]).toEqual({
      code: 'too_small',
      path: ['list'],
      message: 'list must have at least 2 items',
    })
  })
})
