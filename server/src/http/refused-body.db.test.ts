import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { limits } from '@assay/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import { runningService, tenantPerTest } from '../../test/service-suite.ts'
import type { Credentials } from '../../test/started-app.ts'

/*
 * Clients that send a whole body before they read the response must get the refusal, not a broken pipe.
 */

const service = runningService()
const tenant = tenantPerTest(service)

const mib = 1024 * 1024
const json = { 'content-type': 'application/json' }
const unknownKey = { ...json, 'x-tracing-key': `tk_live_${'0'.repeat(48)}` }
const ownKey = () => ({ ...json, 'x-tracing-key': tenant.tracingKey })

type Situation = readonly [
  situation: string,
  path: string,
  sizeBytes: number,
  headers: () => Credentials,
  status: number,
  message: string,
]

const situations: readonly Situation[] = [
  [
    'an unknown key with 5 MB',
    '/api/v1/traces/ingest',
    5_000_000,
    () => unknownKey,
    401,
    'Invalid or revoked tracing key.',
  ],
  [
    'more than 32 MiB of OTLP',
    '/api/v1/traces',
    33 * mib,
    ownKey,
    400,
    'OTLP payload is too large.',
  ],
  [
    'more than 32 MiB of JSON',
    '/api/v1/traces/ingest',
    33 * mib,
    ownKey,
    413,
    `The body is larger than ${32 * mib} bytes.`,
  ],
  ['no session with 5 MB', '/api/v1/orgs', 5_000_000, () => json, 401, 'Authentication required.'],
  [
    'an unknown address with 5 MB',
    '/api/v1/nothing',
    5_000_000,
    () => json,
    404,
    'There is nothing at this address.',
  ],
]

interface Refusal {
  readonly status: number
  readonly message: string
}

async function sendByFetch(url: string, sizeBytes: number, headers: Credentials): Promise<Refusal> {
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(sizeBytes) })
  const { error } = (await response.json()) as { error: { message: string } }
  return { status: response.status, message: error.message }
}

/** Without a length, in chunks. */
async function sendByHttp(url: string, sizeBytes: number, headers: Credentials): Promise<Refusal> {
  const outgoing = request(url, { method: 'POST', headers })
  const received = once(outgoing, 'response')
  const chunk = new Uint8Array(mib)
  for (let sent = 0; sent < sizeBytes; sent += mib) {
    if (!outgoing.write(chunk)) await once(outgoing, 'drain')
  }
  outgoing.end()
  const [response] = (await received) as [IncomingMessage]
  const { error } = JSON.parse(await text(response)) as { error: { message: string } }
  return { status: response.statusCode ?? 0, message: error.message }
}

const script = `
import json, sys, urllib.request, urllib.error
url, size, headers = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
request = urllib.request.Request(url, data=bytes(size), headers=headers, method='POST')
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    print(json.dumps({'status': error.code, 'message': json.load(error)['error']['message']}))
`

async function sendByPython(
  url: string,
  sizeBytes: number,
  headers: Credentials,
): Promise<Refusal> {
  const args = ['-c', script, url, String(sizeBytes), JSON.stringify(headers)]
  const { stdout } = await promisify(execFile)('python3', args)
  return JSON.parse(stdout) as Refusal
}

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('python3 is not installed: urllib is not tested\n')

const clients = [
  ['fetch', sendByFetch],
  ['node:http', sendByHttp],
  ...(hasPython ? [['urllib', sendByPython] as const] : []),
] as const

describe.each(clients)('a refused body sent by %s', (_name, send) => {
  test.each(situations)(
    '%s gets its refusal',
    async (...[, path, sizeBytes, headers, status, message]) => {
      // Whether an early close loses the response is a race.
      for (let attempt = 0; attempt < (sizeBytes > 10 * mib ? 1 : 3); attempt++) {
        const refusal = await send(service.origin + path, sizeBytes, headers())
        expect(refusal).toEqual({ status, message })
      }
    },
  )
})

test('a body larger than the limit for refused ones is refused without reading it', async () => {
  const outgoing = request(`${service.origin}/api/v1/traces`, {
    method: 'POST',
    headers: { ...unknownKey, 'content-length': limits.refusedBodyBytes.value + 1 },
  })
  outgoing.write('{')
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  expect([response.statusCode, response.headers.connection]).toEqual([401, 'close'])
  outgoing.destroy()
})
