import { listAuditLog } from '@assay/contract/audit-log.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  createModelConfig,
  listModelConfigs,
  removeModelConfig,
  testModelConfig,
  updateModelConfig,
} from '@assay/contract/model-configs.ts'
import { describe, expect, test } from 'vitest'
import { runningModel } from '../../../test/scripted-model-suite.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { masterSecret } from '../../../test/started-app.ts'
import { openMasterKey } from '../../accounts/master-key.ts'
import { modelKeyPlace } from '../../model-gateway/models.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const owner = signedInPerTest(service, () => tenant.members.Owner)

const orgParams = () => ({ orgId: tenant.organizationId })
const key = 'sk-the-canary-key-of-the-model'
const openAi = { label: 'Judge', provider: 'openai', model: 'gpt-5-mini', api_key: key }
const local = {
  ...{ label: 'Local', provider: 'openai-compatible', model: 'qwen3' },
  base_url: 'http://127.0.0.1:11434/v1',
}

const add = (body: object) => service.call(createModelConfig, { params: orgParams(), body }, editor)
const change = (configId: string, body: object) =>
  service.call(updateModelConfig, { params: { ...orgParams(), configId }, body }, editor)
const listed = async () =>
  (await service.call(listModelConfigs, { params: orgParams() }, viewer)).data

/** The stored key in clear text. */
async function openKey(id: string): Promise<string | null> {
  const row = await service.accounts.modelConfigs.find(tenant.organizationId, id)
  if (row === undefined) throw new Error('no such configuration')
  const box = await openMasterKey([masterSecret], service.accounts)
  return row.api_key === null ? null : box.open(row.api_key, modelKeyPlace(row))
}

describe('a model configuration', () => {
  test('is created, and listed for every member without its key', async () => {
    const { status, data } = await add(openAi)
    expect({ status, data }).toEqual({
      status: 201,
      data: {
        ...{ id: expect.any(String), organization_id: tenant.organizationId },
        ...{ label: 'Judge', provider: 'openai', model: 'gpt-5-mini' },
        ...{ base_url: null, has_api_key: true },
        ...{ input_usd_per_mtok: null, output_usd_per_mtok: null, cache_read_usd_per_mtok: null },
        ...{ created_at: expect.any(String), updated_at: expect.any(String) },
      },
    })
    const second = await add({ ...local, input_usd_per_mtok: 0, output_usd_per_mtok: 0.15 })
    expect(await listed()).toEqual([data, second.data])
    expect(second.data).toMatchObject({ has_api_key: false, output_usd_per_mtok: 0.15 })
    expect(JSON.stringify([data, await listed()])).not.toContain(key)
  })

  test('is listed by the chat product too', async () => {
    const { data } = await add(openAi)
    const inChat = { params: orgParams(), on: 'chat' } as const
    expect((await service.call(listModelConfigs, inChat, viewer)).data).toEqual([data])
  })

  test('has a key that is encrypted for its row', async () => {
    const first = await add(openAi)
    const second = await add({ ...openAi, api_key: 'another' })
    expect(await openKey(first.data.id)).toBe(key)
    const stored = await service.query(`select * from model_configs`)
    expect(JSON.stringify(stored)).not.toContain(key)
    const { modelConfigs } = service.accounts
    const row = await modelConfigs.find(tenant.organizationId, first.data.id)
    const other = await modelConfigs.find(tenant.organizationId, second.data.id)
    await modelConfigs.update({ ...other!, api_key: row!.api_key })
    await expect(openKey(second.data.id)).rejects.toThrow(/moved from where it was sealed/)
  })

  test.each<readonly [what: string, change: object, message: string]>([
    ['no label', { label: undefined }, 'label is required'],
    [
      'an unknown provider',
      { provider: 'acme' },
      'provider must be one of openai, anthropic, google, azure, bedrock, mistral, openai-compatible',
    ],
    ['an empty model', { model: ' ' }, 'model must not be empty'],
    ['no address for Azure', { provider: 'azure' }, 'base_url is required for azure'],
    ['no address for Bedrock', { provider: 'bedrock' }, 'base_url is required for bedrock'],
    [
      'no address for a compatible one',
      { provider: 'openai-compatible' },
      'base_url is required for openai-compatible',
    ],
    [
      'an address that is no URL',
      { base_url: 'localhost:1' },
      'base_url must be an http or https URL without user name, query and fragment',
    ],
    [
      'an address with a password',
      { base_url: 'https://u:p@x.org' },
      'base_url must be an http or https URL without user name, query and fragment',
    ],
    [
      'an address with a query',
      { base_url: 'https://x.org/?a=1' },
      'base_url must be an http or https URL without user name, query and fragment',
    ],
    ['an empty key', { api_key: '' }, 'api_key must not be empty'],
    [
      'a key with a line break',
      { api_key: 'a\nb: c' },
      'api_key must be visible ASCII characters without spaces',
    ],
    [
      'a negative price',
      { input_usd_per_mtok: -1, output_usd_per_mtok: 1 },
      'input_usd_per_mtok must be 0 or more',
    ],
    [
      'half a price',
      { input_usd_per_mtok: 1 },
      'output_usd_per_mtok is required with input_usd_per_mtok',
    ],
    [
      'the other half',
      { output_usd_per_mtok: 1 },
      'input_usd_per_mtok is required with another price',
    ],
    [
      'a costlier cache',
      { input_usd_per_mtok: 1, output_usd_per_mtok: 1, cache_read_usd_per_mtok: 2 },
      'cache_read_usd_per_mtok must not be more than input_usd_per_mtok',
    ],
  ])('with %s is refused', async (_what, wrong, message) => {
    const answer = await add({ ...openAi, ...wrong })
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR', message } })
    expect(await listed()).toEqual([])
  })

  test.each([
    ['http://169.254.169.254/latest', 'The address is in a private network.'],
    ['https://10.0.0.1/v1', 'The address is in a private network.'],
    ['http://[::1]:4600', 'The address is in a private network.'],
    ['http://192.0.9.1/v1', 'The address must begin with https://.'],
  ])('with the address %s is refused, unless the operator allows it', async (base_url, reason) => {
    const refusal = { code: 'VALIDATION_ERROR', message: `base_url cannot be used: ${reason}` }
    const created = await add({ ...local, base_url })
    expect(created).toMatchObject({ status: 422, error: refusal })
    expect(created.error.details).toEqual({ target: new URL(base_url).host })
    expect(await listed()).toEqual([])

    const { data } = await add(local)
    expect(await change(data.id, { base_url })).toMatchObject({ status: 422, error: refusal })
    expect(await listed()).toEqual([data])
  })

  test('changes in the given fields, and null removes one', async () => {
    const prices = { input_usd_per_mtok: 2, output_usd_per_mtok: 8, cache_read_usd_per_mtok: 1 }
    const { data: before } = await add({ ...openAi, ...prices })
    const body = { label: 'Second', cache_read_usd_per_mtok: null }
    const { data: after } = await change(before.id, body)
    expect(after).toEqual({ ...before, ...body, updated_at: expect.any(String) })
    expect(await listed()).toEqual([after])
    expect(await openKey(before.id)).toBe(key)
  })

  test.each<readonly [what: string, change: object, message: string]>([
    ['without a field', {}, 'The body must have a field to change'],
    [
      'that removes half a price',
      { output_usd_per_mtok: null },
      'output_usd_per_mtok is required with input_usd_per_mtok',
    ],
    [
      'to a provider that requires an address',
      { provider: 'azure' },
      'base_url is required for azure',
    ],
    ['to a label of null', { label: null }, 'label must be a string'],
  ])('refuses a change %s', async (_what, wrong, message) => {
    const { data } = await add({ ...openAi, input_usd_per_mtok: 1, output_usd_per_mtok: 1 })
    const answer = await change(data.id, wrong)
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR', message } })
    expect(await listed()).toEqual([data])
  })

  test.each<readonly [what: string, change: object, expected: string | null]>([
    ['loses its key when its address changes', { base_url: 'https://192.0.9.1/v1' }, null],
    ['loses its key when its address is removed', { base_url: null }, null],
    ['loses its key when its provider changes', { provider: 'mistral' }, null],
    ['loses its key when the key is removed', { api_key: null }, null],
    ['keeps its key when its address stays the same', { base_url: 'https://192.0.9.2/v1/' }, key],
    ['keeps its key when its model changes', { model: 'another' }, key],
    [
      'has the key that is sent with a new address',
      { base_url: 'https://192.0.9.1', api_key: 'new' },
      'new',
    ],
  ])('%s', async (_what, body, expected) => {
    const { data } = await add({ ...openAi, base_url: 'https://192.0.9.2/v1' })
    const changed = await change(data.id, body)
    expect(changed).toMatchObject({ status: 200, data: { has_api_key: expected !== null } })
    expect(await openKey(data.id)).toBe(expected)
  })

  test('is removed, and is then not found', async () => {
    const { data } = await add(openAi)
    const params = { ...orgParams(), configId: data.id }
    const remove = () => service.call(removeModelConfig, { params }, editor)
    expect((await remove()).data).toEqual({ status: 'removed' })
    expect(await listed()).toEqual([])
    const notFound = { code: 'NOT_FOUND', message: 'Model configuration not found.' }
    expect(await remove()).toMatchObject({ status: 404, error: notFound })
    expect(await change(data.id, { label: 'x' })).toMatchObject({ status: 404, error: notFound })
  })

  test('of another organization is not found', async () => {
    const { data } = await add(openAi)
    const other = await service.addTenant()
    const params = { orgId: other.organizationId, configId: data.id }
    const as = await service.signedIn(other.members.Owner)
    const body = { base_url: 'https://192.0.9.1' }
    const changed = await service.call(updateModelConfig, { params, body }, as)
    expect([changed.status, changed.error.code]).toEqual([404, 'NOT_FOUND'])
    const removed = await service.call(removeModelConfig, { params }, as)
    expect([removed.status, removed.error.code]).toEqual([404, 'NOT_FOUND'])
    expect(await listed()).toEqual([data])
    expect(await openKey(data.id)).toBe(key)
  })

  test('is refused beyond the limit, also when several are added at once', async () => {
    const { data } = await add(openAi)
    const { modelConfigs } = service.accounts
    const row = await modelConfigs.find(tenant.organizationId, data.id)
    for (let n = 2; n < limits.modelConfigs.value; n += 1) {
      await modelConfigs.insert({ ...row!, id: `${row!.id} ${n}`, api_key: null })
    }
    const answers = await Promise.all([add(openAi), add(openAi), add(openAi)])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const message = 'An organization can have at most 100 model configurations. Delete one first.'
    const refusal = { status: 409, error: { code: 'CONFLICT', message } }
    expect(answers.filter(({ status }) => status !== 201)).toMatchObject([refusal, refusal])
    expect(await modelConfigs.count(tenant.organizationId)).toBe(100)
  })

  test('is in the audit log with every change, without its key', async () => {
    const { data } = await add(openAi)
    await change(data.id, { base_url: 'https://192.0.9.1/v1', api_key: 'new' })
    const params = { ...orgParams(), configId: data.id }
    await service.call(removeModelConfig, { params }, editor)
    const log = await service.call(listAuditLog, { params: orgParams() }, owner)
    const about = { label: 'Judge', provider: 'openai', model: 'gpt-5-mini' }
    const target = { kind: 'model_config', id: data.id }
    expect(log.data.slice(0, 3)).toMatchObject([
      { action: 'model_config.removed', target, details: about },
      {
        action: 'model_config.updated',
        target,
        details: { ...about, base_url: 'https://192.0.9.1/v1', changed: ['base_url', 'api_key'] },
      },
      { action: 'model_config.created', target, details: { ...about, base_url: null } },
    ])
    expect(JSON.stringify(log.data)).not.toContain(key)
  })
})

describe('the test of a model configuration', () => {
  const scripted = runningModel()

  const prices = { input_usd_per_mtok: 1, output_usd_per_mtok: 10 }
  const addScripted = (body: object = {}) =>
    add({ ...local, base_url: scripted.url, api_key: key, ...prices, ...body })
  const run = (configId: string) =>
    service.call(testModelConfig, { params: { ...orgParams(), configId } }, editor)

  test('calls the model with the stored key, and returns latency, tokens and cost', async () => {
    const { data } = await addScripted()
    scripted.play({ answer: { answer: 'yes' }, usage: { input: 50, output: 5 } })
    expect(await run(data.id)).toMatchObject({
      status: 200,
      data: {
        ...{ ok: true, latency_ms: expect.any(Number), tokens_in: 50, tokens_out: 5 },
        ...{ cost_usd: 0.0001, error: null },
      },
    })
    const { headers, body } = scripted.requests.at(-1)!
    expect([headers['authorization'], body['model']]).toEqual([`Bearer ${key}`, 'qwen3'])
  })

  test('costs its list price unless the configuration has its own', async () => {
    const usage = { input: 1_000_000, output: 0 }
    scripted.play({ answer: { answer: 'yes' }, usage }, { answer: { answer: 'yes' }, usage })
    const listed = { provider: 'openai', model: 'gpt-4o-mini', base_url: scripted.url }
    const none = { input_usd_per_mtok: null, output_usd_per_mtok: null }
    const priced = await addScripted({ ...listed, ...none })
    expect((await run(priced.data.id)).data).toMatchObject({ cost_usd: 0.15 })
    const unpriced = await addScripted(none)
    expect((await run(unpriced.data.id)).data).toMatchObject({ ok: true, cost_usd: null })
  })

  test('returns what is wrong, without the key', async () => {
    const { data } = await addScripted()
    scripted.play({ status: 404, message: `No such model for ${key}` }, { prose: 'Yes!' })
    const failed = await run(data.id)
    expect(failed.data).toMatchObject({
      ...{ ok: false, tokens_in: null, cost_usd: null },
      error: { kind: 'provider_error', message: expect.stringMatching(/404: No such model for …/) },
    })
    expect((await run(data.id)).data).toMatchObject({
      ...{ ok: false, tokens_in: 100, error: { kind: 'invalid_output' } },
    })
  })

  test('sends nothing without a key where the provider requires one', async () => {
    const before = scripted.requests.length
    const { data } = await add({ ...openAi, base_url: scripted.url, api_key: undefined })
    expect((await run(data.id)).data).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^No API key is stored for this model/) },
    })
    expect(scripted.requests).toHaveLength(before)
  })

  test('is in the audit log with its outcome', async () => {
    const { data } = await addScripted()
    scripted.play({ answer: { answer: 'yes' } }, 'hang-up', 'hang-up')
    await run(data.id)
    await run(data.id)
    const log = await service.call(listAuditLog, { params: orgParams() }, owner)
    const tested = { action: 'model_config.tested', target: { kind: 'model_config', id: data.id } }
    expect(log.data.slice(0, 2)).toMatchObject([
      { ...tested, details: { label: 'Local', outcome: 'provider_error' } },
      { ...tested, details: { label: 'Local', outcome: 'ok' } },
    ])
  })

  test('of another organization or an unknown one is not found, and calls nothing', async () => {
    const { data } = await addScripted()
    const before = scripted.requests.length
    const other = await service.addTenant()
    const as = await service.signedIn(other.members.Owner)
    for (const [orgId, configId, who] of [
      [other.organizationId, data.id, as],
      [tenant.organizationId, 'unknown', editor],
    ] as const) {
      const params = { orgId, configId }
      const answer = await service.call(testModelConfig, { params }, who)
      expect(answer).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    }
    expect(scripted.requests).toHaveLength(before)
  })
})
