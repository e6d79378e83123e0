import { once } from 'node:events'
import { get, type IncomingMessage, request as post } from 'node:http'
import type { Access } from '@assay/contract/access.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import { fromMemory } from '@assay/contract/anonymous-bounds.ts'
import { type AnyEndpoint, endpoint, endpointName, listErrors } from '@assay/contract/endpoint.ts'
import { appBody } from '@assay/contract/fields.ts'
import { limits } from '@assay/contract/limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openLog } from '../platform/log.ts'
import { binder } from './bind.ts'
import { openBodyShares } from './body-shares.ts'
import { JsonPieces, ReadyJson } from './call.ts'
import { openCursors } from './cursor.ts'
import { openJsonResponses } from './json-responses.ts'
import { openStreams } from './open-streams.ts'
import { openRequestTurns } from './request-turns.ts'
import { createServer } from './server.ts'
import { sessionCookie, signInCookie } from './session-cookie.ts'

/*
 * The limit of unsent responses, on stand-ins with the errors of each endpoint of the contract.
 */

const open = {
  method: 'GET',
  tag: 'Fixtures',
  summary: 'A fixture',
  access: { by: 'anonymous', bounds: fromMemory },
  success: { status: 200, data: z.string() },
} as const
const unread = endpoint({
  ...open,
  path: '/unread',
  cost: 'expensive',
  errors: ['INTERNAL_ERROR 503'],
})
const announced = endpoint({ ...unread, path: '/announced' })
const left = endpoint({
  ...({ ...unread, method: 'POST', path: '/left' } as const),
  body: appBody(z.object({})),
})

const exported = endpoint({ ...open, path: '/exported', cost: 'expensive', reply: 'json-lines' })

const isUnavailable = (declared: AnyEndpoint) =>
  listErrors(declared).some(({ status }) => status === 503)
const standIns = allEndpoints.map((declared, n) => {
  const errors = isUnavailable(declared) ? (['INTERNAL_ERROR 503'] as const) : []
  return { declared, standIn: endpoint({ ...open, path: `/${n}`, cost: declared.cost, errors }) }
})

const largeText = 'x'.repeat(limits.unsentBytesOfUser.value)
let hasRead = false
const leaving = Promise.withResolvers<void>()
const answered = Promise.withResolvers<void>()
const logged: string[] = []
let api: string
let server: ReturnType<typeof createServer>

beforeAll(async () => {
  const log = openLog('error', (line) => logged.push(line))
  const endpoints = [unread, announced, left, exported, ...standIns.map(({ standIn }) => standIn)]
  server = createServer({ log, endpoints, trustProxy: false, turns: openRequestTurns() })
  const noAccess = () => Promise.reject(new Error('there are no accounts here'))
  const url = 'http://localhost'
  const ports = {
    log,
    product: 'tracing',
    origins: [url],
    ...{ bodyShares: openBodyShares(), checkLargeJson: noAccess },
    access: {
      ...{ keyCaller: noAccess, findSession: noAccess },
      ...{ getMemberCaller: noAccess, getProjectCaller: noAccess },
      ...{ findProjectCaller: noAccess, getNamedProjectCaller: noAccess },
    },
    cookie: sessionCookie(url),
    signInCookie: signInCookie(url),
    cursors: openCursors(Buffer.alloc(32)),
    streams: openStreams(new AbortController().signal),
    responses: openJsonResponses(),
  } as const
  const bind = binder([{ server, ports }])
  const json = (text: string) => new ReadyJson(JSON.stringify(text))
  bind(unread, async () => json(largeText))
  bind(announced, async ({ readOptions }) => {
    readOptions.onLargeRead(largeText.length)
    hasRead = true
    return json(largeText)
  })
  bind(left, async ({ signal }) => {
    leaving.resolve()
    await once(signal, 'abort')
    answered.resolve()
    return json('x'.repeat(100_000))
  })
  bind(exported, async () => exportedTraces())
  for (const { standIn } of standIns) bind(standIn, async () => json('x'.repeat(100_000)))
  api = `${await server.listen({ host: '127.0.0.1', port: 0 })}/api/v1`
})
afterAll(() => server.close())

async function* exportedTraces() {
  async function* parts() {
    yield JSON.stringify('x'.repeat(100_000))
  }
  yield new JsonPieces(parts())
}

/** Leaves the body unread. */
async function request(path: string): Promise<IncomingMessage> {
  const [response] = await once(get(api + path, { agent: false }), 'response')
  return response as IncomingMessage
}

async function statusOf(path: string): Promise<number | undefined> {
  const response = await request(path)
  response.destroy()
  return response.statusCode
}

test('while a person has too many unsent bytes, endpoints that declare 503 refuse large responses, before they are read; no other does', async () => {
  const first = await request(unread.path)
  expect(first.statusCode).toBe(200)
  for (const { declared, standIn } of standIns) {
    const status = isUnavailable(declared) ? 503 : 200
    expect(await statusOf(standIn.path), endpointName(declared)).toBe(status)
  }
  expect(await statusOf(announced.path)).toBe(503)
  expect(hasRead).toBe(false)
  first.destroy()
  await expect.poll(() => statusOf(announced.path)).toBe(200)
}, 30_000)

test('while a person has too many unsent bytes, exports end before a large part, with the reason', async () => {
  const first = await request(unread.path)
  const cutOff = await (await fetch(api + exported.path)).text()
  expect(cutOff).not.toContain('xxx')
  expect(cutOff).toContain(
    '"message":"Too many large responses are being sent. Try again shortly."',
  )
  first.destroy()
  const isWhole = async () => (await (await fetch(api + exported.path)).text()).includes('xxx')
  await expect.poll(isWhole).toBe(true)
})

test('a client that leaves before its response is sent is not a failure', async () => {
  const headers = { 'content-type': 'application/json' }
  const sent = post(api + left.path, { method: 'POST', agent: false, headers })
  sent.on('error', () => undefined).end('{}')
  await leaving.promise
  sent.destroy()
  await answered.promise
  await statusOf(announced.path)
  expect(logged).toEqual([])
})

test('every expensive endpoint of a project declares 503', () => {
  const unlimited = allEndpoints.filter((declared) => {
    const access: Access = declared.access
    const isOfProject = 'of' in access && access.of === 'project'
    return isOfProject && declared.cost === 'expensive' && !isUnavailable(declared)
  })
  expect(unlimited.map(endpointName)).toEqual([])
})
