import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { scanMessage } from '@assay/contract/chat-scan.ts'
import { joinReply, stopReply, streamReply } from '@assay/contract/chat-stream.ts'
import {
  readConversation,
  removeConversation,
  restoreConversation,
  updateConversation,
} from '@assay/contract/conversations.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import {
  createModelConfig,
  removeModelConfig,
  testModelConfig,
  updateModelConfig,
} from '@assay/contract/model-configs.ts'
import { exportTraces } from '@assay/contract/otlp.ts'
import { setUp } from '@assay/contract/sign-in.ts'
import { testSsoConfig } from '@assay/contract/sso.ts'
import { readSpan, readTrace, watchTraces } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attachmentRow, chatMessageRow, conversationRow, insertRows } from './conversation-rows.ts'
import { startOidcProvider, type TestOidcProvider } from './oidc-provider.ts'
import { addUser, type Tenant } from './people.ts'
import { readTables, type Tables } from './read-tables.ts'
import { startScriptedModel } from './scripted-model.ts'
import { runningService } from './service-suite.ts'
import { addSsoTenant, signInThrough } from './sso-tenant.ts'
import { type Credentials, type Service, setupToken, startService } from './started-app.ts'

/*
 * Published attacks on similar products that concern telemetry routes and HTTP; attacks on accounts and sign-in are
 * tested next to the code they target.
 */

const service = runningService()
let own: Tenant
let other: Tenant
let key: Credentials
let owner: Credentials
let nonMember: Credentials

beforeAll(async () => {
  own = await service.addTenant()
  other = await service.addTenant()
  key = own.keyHeader
  owner = await service.signedIn(own.members.Owner)
  nonMember = await service.signedIn(other.members.Owner)
})

const started_at = '2026-01-01T00:00:00Z'
const params = (traceId: string) => ({ projectId: own.projectId, traceId })

test('attribute keys that name prototypes are stored as sent and pollute no prototype', async () => {
  const keys = [
    '__proto__.x',
    'constructor.prototype.y',
    'gen_ai.prompt.__proto__.polluted',
    '__proto__',
  ]
  const attributes = keys.map((name) => ({ key: name, value: { stringValue: 'stored' } }))
  const span = {
    traceId: 'c'.repeat(32),
    spanId: 'd'.repeat(16),
    name: 'a',
    startTimeUnixNano: '1767225600000000000',
    attributes,
  }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
  await service.call(exportTraces, { body }, key)
  const path = `/projects/${own.projectId}/traces/${span.traceId}/spans/${span.spanId}`
  const text = await (await fetch(service.api + path, { headers: owner })).text()
  for (const name of keys) expect(text).toContain(`"${name}":"stored"`)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})

test('acknowledged spans are readable, and every span is either stored or reported as rejected', async () => {
  const good = {
    traceId: 'e'.repeat(32),
    spanId: 'f'.repeat(16),
    name: 'a',
    startTimeUnixNano: '1767225600000000000',
  }
  const bad = { ...good, spanId: 'not an id' }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [good, bad] }] }] }
  const response = await service.call(exportTraces, { body }, key)
  expect(response.data.partialSuccess?.rejectedSpans).toBe('1')
  const read = await service.call(readTrace, { params: params(good.traceId) }, owner)
  expect(read.data.span_count).toBe(1)
})

test('ids that look like paths are plain names (MLflow, CVE-2026-2614)', async () => {
  for (const id of ['../../etc/passwd', '..%2f..%2fetc', '%2e%2e/x', 'C:\\boot.ini', 'a/../../b']) {
    const spans = [{ span_id: id, name: 'a', started_at }]
    await service.call(ingestTrace, { body: { trace_id: id, spans } }, key)
    const span = await service.call(readSpan, { params: { ...params(id), spanId: id } }, owner)
    expect(span.data.span_id).toBe(id)
  }
})

test('another organization’s live stream is not found, and no byte of it is sent (LibreChat, CVE-2026-31950)', async () => {
  const path = watchTraces.path.replace('{projectId}', own.projectId)
  const response = await fetch(service.api + path, { headers: nonMember })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: { code: 'PROJECT_NOT_FOUND' } })
})

test('forwarded headers of an untrusted peer are ignored (Fastify, CVE-2026-3635)', async () => {
  const spoofed = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.9',
    forwarded: 'host=evil.example;proto=https',
    origin: 'https://evil.example',
    'content-type': 'application/json',
  }
  const response = await fetch(`${service.api}/auth/sign-out`, {
    method: 'POST',
    headers: { ...owner, ...spoofed },
  })
  expect(response.status).toBe(403)
  expect(await response.text()).not.toContain('evil.example')
})

test('headers and members with prototype names are ordinary headers and members (Node.js, CVE-2026-21710 and CVE-2026-21717)', async () => {
  const headers = { ...key, 'content-type': 'application/json', __proto__x: '1', constructor: '1' }
  const numbers = Object.fromEntries(
    Array.from({ length: 2000 }, (_, n) => [String(n * 65_536), n]),
  )
  const spans = [{ span_id: 'a', name: 'a', started_at, input: numbers }]
  const body = JSON.stringify({ trace_id: 'numbers', spans })
  const response = await fetch(service.api + ingestTrace.path, { method: 'POST', headers, body })
  expect(response.status).toBe(202)
  const span = await service.call(
    readSpan,
    { params: { ...params('numbers'), spanId: 'a' } },
    owner,
  )
  expect(span.data.input).toEqual(numbers)
})

describe('advisory 12: concurrent first sign-ins do not make several super admins (Open WebUI, CVE-2026-45675)', () => {
  let fresh: Service
  let provider: TestOidcProvider
  beforeAll(async () => {
    fresh = await startService()
    provider = await startOidcProvider()
  })
  afterAll(async () => {
    await fresh.stop()
    await provider.stop()
  })

  const superAdmins = () => fresh.query('select email from users where is_super_admin = 1')

  test('of 50 set-ups one succeeds', async () => {
    const setUps = Array.from({ length: 50 }, (_, number) =>
      fresh.call(setUp, {
        body: {
          ...{ token: setupToken, email: `person-${number}@x.org`, name: 'A' },
          ...{ password: 'a long enough password' },
          ...{ organization_name: 'Acme', project_name: 'Checkout' },
        },
      }),
    )
    const statuses = (await Promise.all(setUps)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => ![201, 409, 429, 503].includes(status))).toEqual([])
    expect(await superAdmins()).toHaveLength(1)
    expect(await fresh.query('select id from users')).toHaveLength(1)
    expect(await fresh.query('select id from organizations')).toHaveLength(1)
  })

  test('of 50 first sign-ins through a provider none does', async () => {
    const tenant = await addSsoTenant(fresh, provider)
    const before = await superAdmins()
    const signIns = Array.from({ length: 50 }, (_, number) =>
      signInThrough(fresh, provider, tenant, `person-${number}@${tenant.domain}`),
    )
    const locations = (await Promise.all(signIns)).map(({ location }) => location)
    expect(new Set(locations)).toEqual(new Set(['/']))
    expect(await superAdmins()).toEqual(before)
  })
})

describe('advisory 33: reports are private, and connection tests are guarded (Opik, issue 8294)', () => {
  test('SECURITY.md describes how to report a vulnerability privately', () => {
    const text = readFileSync(join(import.meta.dirname, '../../SECURITY.md'), 'utf8')
    expect(text).toMatch(/^## Report a vulnerability\n\nPlease report vulnerabilities privately/m)
  })

  test('testing single sign-on sends nothing to a private address', async () => {
    let requests = 0
    const secret = createServer((_request, response) => {
      requests += 1
      response.end('{}')
    })
    // Loopback too, and not an address that the service of the tests may reach.
    secret.listen(0, '127.0.0.2')
    await once(secret, 'listening')
    const provider = await startOidcProvider()
    const tenant = await addSsoTenant(service, provider)
    const { port } = secret.address() as AddressInfo
    const forbidden = ['http://10.0.0.1', 'http://169.254.169.254', `http://127.0.0.2:${port}`]
    for (const issuer of forbidden) {
      // Saving such a configuration is refused as well.
      await service.query(`update sso_configs set issuer = '${issuer}' where issuer is not null`)
      const refused = await service.call(testSsoConfig, { ...tenant, body: {} }, tenant.owner)
      expect(refused).toMatchObject({
        status: 422,
        error: { code: 'VALIDATION_ERROR', details: { target: new URL(issuer).host } },
      })
    }
    expect(requests).toBe(0)
    await provider.stop()
    secret.close()
  })

  test('only the guarded clients and the probe of operators send HTTP requests', () => {
    const folder = join(import.meta.dirname, '../src')
    const clients =
      /(?<![.\w])fetch\(|import \{[^}]*\brequest\b[^}]*\} from 'node:https?'|from 'undici'/
    const sending = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => clients.test(readFileSync(join(folder, file), 'utf8')))
    expect(sending.toSorted()).toEqual([
      'model-gateway/model-outbound.ts',
      'platform/outbound-fetch.ts',
      'probe/probe-service.ts',
    ])
  })
})

test('a changed base address of a model drops its key (Langfuse, CVE-2026-41487)', async () => {
  const inOrganization = { orgId: own.organizationId }
  const config = { label: 'a', provider: 'openai', model: 'm', api_key: 'sk-1' }
  const body = { ...config, base_url: 'https://192.0.9.2/v1' }
  const added = await service.call(createModelConfig, { params: inOrganization, body }, owner)
  expect(added.data.has_api_key).toBe(true)
  const changed = await service.call(
    updateModelConfig,
    {
      params: { ...inOrganization, configId: added.data.id },
      body: { base_url: 'https://192.0.9.3/v1' },
    },
    owner,
  )
  expect([changed.status, changed.data.has_api_key]).toEqual([200, false])
})

test('a model of an organization is only called with the key of its own configuration', async () => {
  const model = await startScriptedModel()
  const otherOwner = nonMember
  const add = async (tenant: Tenant, as: Credentials, name: string) => {
    const config = { label: name, provider: 'openai-compatible', model: name }
    const body = { ...config, base_url: model.url, api_key: `sk-${name}` }
    const inOrganization = { orgId: tenant.organizationId }
    const added = await service.call(createModelConfig, { params: inOrganization, body }, as)
    return { params: { ...inOrganization, configId: added.data.id }, as }
  }
  const configs = [
    await add(own, owner, 'own-1'),
    await add(own, owner, 'own-2'),
    await add(other, otherOwner, 'other-1'),
  ] as const
  const callModel = ({ params: of, as }: (typeof configs)[number]) =>
    service.call(testModelConfig, { params: of }, as)
  const sentSince = (start: number) =>
    model.requests.slice(start).map(({ headers, body }) => [body['model'], headers.authorization])

  model.always({ answer: { answer: 'yes' } })
  for (const config of configs) await callModel(config)
  await Promise.all([...configs, ...configs, ...configs].map(callModel))
  const sent = sentSince(0)
  expect(sent).toHaveLength(12)
  expect(sent.filter(([name, header]) => header !== `Bearer sk-${String(name)}`)).toEqual([])
  for (const { headers, body } of model.requests) {
    const names = ['own-1', 'own-2', 'other-1'].filter((name) => name !== body['model'])
    expect(names.filter((name) => JSON.stringify(headers).includes(name))).toEqual([])
  }

  const [changed, removed, kept] = configs
  const body = { api_key: 'sk-new' }
  await service.call(updateModelConfig, { params: changed.params, body }, owner)
  await service.call(removeModelConfig, { params: removed.params }, owner)
  const foreign = { params: { ...kept.params, orgId: own.organizationId }, as: owner }
  const outcomes = await Promise.all([changed, removed, kept, foreign].map(callModel))
  expect(outcomes.map(({ status }) => status)).toEqual([200, 404, 200, 404])
  expect(sentSince(12)).toHaveLength(2)
  expect(sentSince(12)).toEqual(
    expect.arrayContaining([
      ['other-1', 'Bearer sk-other-1'],
      ['own-1', 'Bearer sk-new'],
    ]),
  )
  await model.close()
})

test('another person’s conversation or attachment is not found, changed or sent, not even for an Owner (Open WebUI, CVE-2026-45349 and CVE-2026-45671; LibreChat, CVE-2026-31950)', async () => {
  const user_id = own.members.Viewer.id
  const row = conversationRow({ project_id: own.projectId, user_id })
  const expires_at = '2200-01-01T00:00:00.000Z'
  const file = attachmentRow(user_id, { text: 'A canary', expires_at })
  await insertRows(service, 'conversations', [row])
  const reply = { role: 'assistant', status: 'streaming', content: 'A canary' } as const
  const messages = [chatMessageRow(row.id, { content: 'A canary' }), chatMessageRow(row.id, reply)]
  await insertRows(service, 'chat_messages', messages)
  await insertRows(service, 'chat_attachments', [file])
  const before = await readTables(service)
  const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
  const inConversation = { params: { conversationId: row.id } }
  const inReply = { params: { messageId: messages[1]?.id ?? '' } }
  const org = (await service.accounts.organizations.find(own.organizationId))?.slug ?? ''
  const named = { org, project: 'project', message: 'Hello' }
  const withFile = { text: 'Hello', attachment_ids: [file.id] }
  for (const as of [owner, nonMember, admin]) {
    const answers = [
      await service.call(readConversation, inConversation, as),
      await service.call(updateConversation, { ...inConversation, body: { title: 'x' } }, as),
      await service.call(removeConversation, inConversation, as),
      await service.call(restoreConversation, inConversation, as),
      await service.call(scanMessage, { body: withFile }, as),
      await service.call(joinReply, inReply, as),
      await service.call(stopReply, inReply, as),
      await service.call(streamReply, { body: { ...named, conversation_id: row.id } }, as),
      await service.call(streamReply, { body: { ...named, attachment_ids: [file.id] } }, as),
    ]
    const codes = answers.map(({ status, error }) => `${status} ${error.code}`)
    const inProject = as === nonMember ? '404 ORG_NOT_FOUND' : '404 NOT_FOUND'
    expect(codes).toEqual([...Array<string>(7).fill('404 NOT_FOUND'), inProject, inProject])
    expect(JSON.stringify(answers)).not.toContain('canary')
  }
  expect(rowsOf(await readTables(service))).toEqual(rowsOf(before))

  const viewer = await service.signedIn(own.members.Viewer)
  expect((await service.call(readConversation, inConversation, viewer)).status).toBe(200)
  expect((await service.call(scanMessage, { body: withFile }, viewer)).status).toBe(200)
})

const rowsOf = ({ conversations, chat_messages, chat_attachments }: Tables) => ({
  ...{ conversations, chat_messages, chat_attachments },
})
