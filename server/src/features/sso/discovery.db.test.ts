import { limits } from '@assay/contract/limits.ts'
import { discoverSso, startSso } from '@assay/contract/sso.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { engines } from '../../../test/accounts-database.ts'
import { clockAt, steppedClock } from '../../../test/clock-at.ts'
import { startOidcProvider, type TestOidcProvider } from '../../../test/oidc-provider.ts'
import { addUser } from '../../../test/people.ts'
import { addSsoTenant } from '../../../test/sso-tenant.ts'
import { type Service, startService } from '../../../test/started-app.ts'
import { openTestCounters, type TestCounters } from '../../../test/test-counters.ts'
import { Failure } from '../../platform/failure.ts'
import { discoveryLimit } from './discovery-limit.ts'

const start = Date.parse('2026-05-01T08:00:00.000Z')
let now = start
const clock = clockAt(() => now)
afterEach(() => {
  now = start
})

describe('discovery', () => {
  let service: Service
  let provider: TestOidcProvider
  let client = 0

  beforeAll(async () => {
    provider = await startOidcProvider()
    service = await startService({ trustProxy: 1, clock })
  })
  afterAll(async () => {
    await service.stop()
    await provider.stop()
  })

  const call = (email: string, from: string, on?: 'chat') =>
    service.call(discoverSso, {
      body: { email },
      send: { 'x-forwarded-for': from },
      ...(on === undefined ? {} : { on }),
    })
  const newClient = () => {
    client += 1
    return `192.0.2.${client}`
  }

  test('matches verified domains only, whether or not the address has an account', async () => {
    const tenant = await addSsoTenant(service, provider)
    const known = await addUser(service.accounts, { email: `ana@${tenant.domain}` })
    const responses = []
    for (const email of [
      known.email,
      `nobody@${tenant.domain}`,
      `ANA@${tenant.domain.toUpperCase()}`,
    ]) {
      const { data } = await call(email, newClient())
      const address = new URL(data.start_url ?? '')
      expect(address.searchParams.get('email')).toBe(email)
      expect(address.pathname).toBe(`/api/v1${startSso.path}`)
      responses.push({ ...data, start_url: 'checked' })
    }
    expect(responses).toEqual(Array(3).fill({ sso: true, start_url: 'checked', enforced: false }))
    for (const email of [
      'ana@elsewhere.test',
      `ana@sub.${tenant.domain}`,
      `ana@not-${tenant.domain}`,
    ]) {
      expect((await call(email, newClient())).data).toEqual({ sso: false })
    }
  })

  test('is served by both products and starts on the tracing product', async () => {
    const tenant = await addSsoTenant(service, provider)
    const { data } = await call(`ana@${tenant.domain}`, newClient(), 'chat')
    expect(data.start_url).toMatch(/^http:\/\/localhost:4600\/api\/v1\/auth\/sso\/start\?email=/)
  })

  test('starts on the tracing product with the page to return to', async () => {
    const query = { email: 'ana@x.test', return_to: '/session-transfer?to=chat&state=s' }
    const { status, data } = await service.call(startSso, { query, on: 'chat' })
    const address = new URL(data)
    expect([status, address.origin, address.pathname]).toEqual([
      303,
      'http://localhost:4600',
      `/api/v1${startSso.path}`,
    ])
    expect(Object.fromEntries(address.searchParams)).toEqual(query)
  })

  // Counters in PostgreSQL have the time of the database.
  test.skipIf(inject('isScaled'))(
    'refuses the 31st request within a minute, with the time to wait',
    async () => {
      const from = newClient()
      for (let request = 1; request <= 30; request += 1) {
        expect((await call('ana@elsewhere.test', from)).status, `request ${request}`).toBe(200)
        now += 1000
      }
      const refused = await call('ana@elsewhere.test', from)
      expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
      expect(refused.headers.get('retry-after')).toBe('30')
      expect((await call('ana@elsewhere.test', newClient())).status).toBe(200)
      now = start + 60_000 - 1
      expect((await call('ana@elsewhere.test', from)).status).toBe(429)
      now = start + 60_000
      expect((await call('ana@elsewhere.test', from)).status).toBe(200)
      expect((await call('ana@elsewhere.test', from)).status).toBe(429)
      now += 1000
      expect((await call('ana@elsewhere.test', from)).status).toBe(200)
    },
  )

  // Counters in PostgreSQL have the time of the database.
  test.skipIf(inject('isScaled'))(
    'of one network can be followed by a limited number of sign-ins at once',
    async () => {
      const tenant = await addSsoTenant(service, provider)
      const query = { email: `ana@${tenant.domain}` }
      const startFrom = async (from: string) => {
        const { data } = await service.call(startSso, { query, send: { 'x-forwarded-for': from } })
        return data.startsWith('/sign-in?problem=unavailable') ? 'refused' : 'started'
      }
      const from = newClient()
      const outcomes = []
      for (let n = 0; n < limits.ssoStarts.value + 5; n += 1) outcomes.push(await startFrom(from))
      expect(outcomes.filter((one) => one === 'started')).toHaveLength(limits.ssoStarts.value)
      expect(await service.query('select * from sso_flows')).toHaveLength(limits.ssoStarts.value)
      expect(await startFrom(newClient())).toBe('started')
      now += limits.ssoStartSeconds.value * 1000
      expect([await startFrom(from), await startFrom(from)]).toEqual(['started', 'refused'])
    },
  )

  test('counts an IPv6 /64 as one client, in any spelling (CVE-2026-45364)', async () => {
    const spellings = [
      '2001:db8:1:2::1',
      '2001:DB8:1:2::1',
      '2001:0db8:0001:0002:0000:0000:0000:0001',
      '2001:db8:1:2:ffff:ffff:ffff:ffff',
      '2001:db8:1:2::192.0.2.1',
    ]
    for (let request = 0; request < 30; request += 1) {
      const from = spellings[request % spellings.length] ?? ''
      expect((await call('ana@elsewhere.test', from)).status).toBe(200)
    }
    for (const from of [...spellings, '2001:db8:1:2::2']) {
      expect((await call('ana@elsewhere.test', from)).status).toBe(429)
    }
    expect((await call('ana@elsewhere.test', '2001:db8:1:3::1')).status).toBe(200)
  })

  test('ignores forwarded headers from clients that are not trusted proxies', async () => {
    const plain = await startService({ clock })
    const statuses = []
    for (let request = 0; request < 31; request += 1) {
      const send = { 'x-forwarded-for': `192.0.2.${request}`, forwarded: `for=192.0.2.${request}` }
      const body = { email: 'ana@elsewhere.test' }
      statuses.push((await plain.call(discoverSso, { body, send })).status)
    }
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429])
    await plain.stop()
  })

  test.each([
    ['an invalid address', { body: { email: 'nobody' } }, 400],
    ['no address', { body: {} }, 400],
    ['malformed JSON', { raw: '{"email":' }, 500],
    ['an empty body', { raw: '' }, 500],
  ] as const)(
    'counts requests with %s, and responds with 429 over the limit',
    async (_name, request, status) => {
      const send = { 'x-forwarded-for': newClient() }
      for (let number = 1; number <= 30; number += 1) {
        expect((await service.call(discoverSso, { ...request, send })).status).toBe(status)
      }
      const refused = await service.call(discoverSso, { ...request, send })
      expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
      const valid = { body: { email: 'ana@elsewhere.test' }, send }
      expect((await service.call(discoverSso, valid)).status).toBe(429)
    },
  )
})

describe.each(engines)('the limit with accounts on %s', (engine) => {
  let opened: TestCounters
  beforeEach(async () => {
    opened = await openTestCounters(engine)
  })
  afterEach(() => opened.remove())

  const outcomes = (requests: readonly Promise<void>[]) =>
    Promise.all(
      requests.map((request) =>
        request.then(
          () => 'answered',
          (error: unknown) => (error instanceof Failure ? error.code : error),
        ),
      ),
    )

  test('counts concurrent requests', async () => {
    const limit = discoveryLimit(opened.open(clock))
    const results = await outcomes(Array.from({ length: 50 }, () => limit('192.0.2.200')))
    expect(results.filter((one) => one === 'answered')).toHaveLength(30)
    expect(results.filter((one) => one === 'RATE_LIMITED')).toHaveLength(20)
  })

  test.each([
    ['back', -3_600_000, '192.0.2.201'],
    ['forward', 3_600_000, '192.0.2.202'],
  ])(
    'lets a client send requests again within a minute of a clock step %s',
    async (_direction, stepMs, client) => {
      const stepped = steppedClock(start)
      const limit = discoveryLimit(opened.open(stepped))
      for (let request = 0; request < 30; request += 1) await limit(client)
      stepped.step(stepMs)
      await outcomes([limit(client)])
      stepped.pass(60_000)
      expect(await outcomes([limit(client)])).toEqual(['answered'])
    },
  )

  test('counts on when the clock is set back', async () => {
    const stepped = steppedClock(start)
    const limit = discoveryLimit(opened.open(stepped))
    for (let request = 0; request < 30; request += 1) await limit('192.0.2.203')
    stepped.step(-3_600_000)
    expect(await outcomes([limit('192.0.2.203')])).toEqual(['RATE_LIMITED'])
  })
})
