import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAlertRule, testAlertRule, updateAlertRule } from '@assay/contract/alerts.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { createModelConfig, testModelConfig } from '@assay/contract/model-configs.ts'
import { signIn } from '@assay/contract/sign-in.ts'
import {
  finishOidc,
  linkSso,
  startSso,
  testSsoConfig,
  writeSsoConfig,
} from '@assay/contract/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../src/platform/log.ts'
import { hashPassword } from '../src/platform/password-hash.ts'
import { openBrowser } from './browser.ts'
import { oidcClient, startOidcProvider, type TestOidcProvider } from './oidc-provider.ts'
import { addUser } from './people.ts'
import { type Step, startScriptedModel } from './scripted-model.ts'
import { addSsoTenant, type SsoTenant, signInThrough } from './sso-tenant.ts'
import { masterSecret, type Service, startService } from './started-app.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

/*
 * Secrets passed to the service, and places where they must not appear: responses, log, audit log, and its
 * files in clear text.
 */

const password = 'the canary-secret of a person'
const modelKey = 'sk-the-canary-secret-of-a-model'
const webhookToken = 'the-canary-token-of-a-webhook'
const secrets = [oidcClient.secret, password, masterSecret, modelKey, webhookToken]

let service: Service
let provider: TestOidcProvider
let tenant: SsoTenant
let log = ''
const responses: string[] = []
const tokens: string[] = []

beforeAll(async () => {
  provider = await startOidcProvider()
  service = await startService({ log: openLog('debug', (line) => (log += line)) })
  tenant = await addSsoTenant(service, provider)
  const passwordHash = await hashPassword(password)
  const { email } = await addUser(service.accounts, {
    email: `ana@${tenant.domain}`,
    passwordHash,
  })

  const keep = <T extends { data: unknown; error: unknown }>(answer: T): T => {
    responses.push(JSON.stringify([answer.data, answer.error]))
    return answer
  }
  // Every path by which a secret enters, valid and invalid.
  const browser = openBrowser(service)
  keep(await browser.call(signIn, { body: { email, password } }))
  keep(await browser.call(signIn, { body: { email: 'nobody@x.org', password } }))
  for (const answered of [
    {},
    { signature: 'another key' },
    { token: { id_token: undefined } },
    { redirectTo: 'http://10.0.0.1/' },
    { discovery: { token_endpoint: 'http://10.0.0.1/token' } },
  ] as const) {
    provider.answer(answered)
    const { params } = tenant
    const body = { ...toBody(tenant), client_id: `assay-${responses.length}` }
    keep(await service.call(writeSsoConfig, { params, body }, tenant.owner))
    await service.call(testSsoConfig, { params, body: {} }, tenant.owner).then(keep)
    const arrival = openBrowser(service)
    const { data } = keep(await arrival.call(startSso, { query: { email } }))
    if (!data.startsWith('http')) continue
    const back = Object.fromEntries(provider.authorize(data, { email }))
    tokens.push(back['code'] ?? '', ...arrival.cookies.values())
    keep(await arrival.call(finishOidc, { params, query: back }))
    keep(await arrival.call(linkSso, { body: { password } }))
    tokens.push(...arrival.cookies.values())
  }
  provider.answer()
  const body = { ...toBody(tenant), client_id: oidcClient.id }
  keep(await service.call(writeSsoConfig, { params: tenant.params, body }, tenant.owner))
  await signInThrough(service, provider, tenant, `ben@${tenant.domain}`)
  await testModels(keep)
  await testAlerts(keep)
  for (const declared of allEndpoints.filter(({ method }) => method === 'GET')) {
    responses.push(await readText(declared))
  }
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})

/** The provider repeats the key in its responses. */
async function testModels(keep: <T extends { data: unknown; error: unknown }>(answer: T) => T) {
  const scripted = await startScriptedModel()
  const { params, owner } = tenant
  const names = { label: 'A model', provider: 'openai', model: 'gpt-4o-mini' }
  const body = { ...names, base_url: scripted.url, api_key: modelKey }
  const { data } = keep(await service.call(createModelConfig, { params, body }, owner))
  const message = `Bad key: ${modelKey}`
  const steps: readonly Step[] = [
    { answer: { answer: 'yes' } },
    ...[400, 401, 404, 500, 500].map((status) => ({ status, message })),
    ...(['hang-up', 'cut'] as const),
    { garbage: message },
  ]
  scripted.play(...steps)
  const inConfig = { params: { ...params, configId: data.id } }
  while (scripted.requests.length < steps.length) {
    keep(await service.call(testModelConfig, inConfig, owner))
  }
  await scripted.close()
  keep(await service.call(testModelConfig, inConfig, owner))
}

/** The response with the secret of the webhook is the only one. */
async function testAlerts(keep: <T extends { data: unknown; error: unknown }>(answer: T) => T) {
  const receiver = await startWebhookReceiver()
  const { owner, projectId } = tenant
  const params = { projectId }
  const webhook_url = `${receiver.url}&${webhookToken}`
  const body = { name: 'Errors', metric: 'error_rate', threshold: 0.5, webhook_url }
  const { data } = await service.call(createAlertRule, { params, body }, owner)
  tokens.push(data.webhook_secret?.slice('whsec_'.length) ?? '')
  const inRule = { params: { ...params, ruleId: data.id } }
  const refused = { webhook_url: `http://10.0.0.1/${webhookToken}` }
  keep(await service.call(updateAlertRule, { ...inRule, body: refused }, owner))
  receiver.statuses.push(200, 500)
  keep(await service.call(testAlertRule, inRule, owner))
  keep(await service.call(testAlertRule, inRule, owner))
  await receiver.close()
  keep(await service.call(testAlertRule, inRule, owner))
}

function toBody({ domain }: SsoTenant) {
  const { secret: client_secret } = oidcClient
  return { protocol: 'oidc', issuer: provider.issuer, client_secret, domains: [domain] }
}

/** Everything an Owner can read there. Of an endless stream, the first part. */
async function readText({ path }: AnyEndpoint): Promise<string> {
  const ids: Readonly<Record<string, string>> = {
    orgId: tenant.organizationId,
    projectId: tenant.projectId,
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none')
  const response = await fetch(service.api + filled, {
    headers: tenant.owner,
    redirect: 'manual',
    signal: AbortSignal.timeout(2000),
  })
  if (response.headers.get('content-type')?.includes('event-stream')) {
    await response.body?.cancel()
    return ''
  }
  return await response.text()
}

describe('a secret', () => {
  test('went through every path', async () => {
    expect(responses.length).toBeGreaterThan(30)
    expect(provider.requests.some(({ path }) => path === '/token')).toBe(true)
    expect(log).toContain('a sign-in through an identity provider was refused')
    const rows = await service.query('select action from audit_log')
    const actions = rows.map(({ action }) => action)
    expect(actions).toContain('sso_config.saved')
    expect(actions.filter((one) => one === 'model_config.tested').length).toBeGreaterThan(5)
    expect(actions.filter((one) => one === 'alert_rule.tested')).toHaveLength(3)
    expect(actions).toContain('session.refused')
    expect(actions).toContain('sso_identity.linked')
  })

  test('appears in no response', () => {
    for (const answer of responses) expectNone(answer, secrets)
  })

  test('appears in no log line, and neither does a session or reset token', () => {
    expectNone(log, [...secrets, ...tokens.filter((token) => token.length > 8)])
  })

  test('appears in no file in clear text, and neither does a session or reset token', () => {
    const { dataDir } = service
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    const texts = files
      .filter((one) => one.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))
    expect(texts.some((text) => text.includes(`ana@${tenant.domain}`))).toBe(true)
    for (const text of texts) {
      expectNone(text, [...secrets, ...tokens.filter((token) => token.length > 40)])
    }
  })
})

function expectNone(text: string, input: readonly string[]): void {
  const found = input.filter((one) => text.includes(one))
  expect(found).toEqual([])
}
