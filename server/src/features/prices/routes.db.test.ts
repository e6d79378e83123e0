import { listAuditLog } from '@assay/contract/audit-log.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { exportTraces } from '@assay/contract/otlp.ts'
import {
  createOrganizationPrice,
  createProjectPrice,
  listObservedModels,
  listOrganizationPrices,
  listProjectPrices,
  removeOrganizationPrice,
  removeProjectPrice,
  resolveOrganizationPrice,
  resolveProjectPrice,
  updateOrganizationPrice,
  updateProjectPrice,
} from '@assay/contract/prices.ts'
import { readSpan, readTrace } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import { jsonBytes } from '../../../test/otlp-request.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { listDate } from '../../models/price-list.ts'

const service = runningService()
const acme = tenantPerTest(service)
const owner = signedInPerTest(service, () => acme.members.Owner)

const started_at = '2026-10-01T12:00:00.000Z'
const call = {
  name: 'call',
  kind: 'llm',
  started_at,
  model: 'gpt-4o',
  tokens_in: 1000,
  tokens_out: 100,
}

async function ingested(span: object, traceId = 'one') {
  const body = { trace_id: traceId, spans: [{ span_id: 'a', ...call, ...span }] }
  const as = acme.keyHeader
  expect((await service.call(ingestTrace, { body }, as)).status).toBe(202)
  return await getSpan('a', traceId)
}

async function getSpan(spanId: string, traceId = 'one') {
  const params = { projectId: acme.projectId, traceId, spanId }
  return (await service.call(readSpan, { params }, owner)).data
}

const inOrganization = () => ({ orgId: acme.organizationId })
const inProject = () => ({ projectId: acme.projectId })
const prices = { input_usd_per_mtok: 100, output_usd_per_mtok: 200 }

const scopes = {
  organization: {
    of: inOrganization,
    list: listOrganizationPrices,
    create: createOrganizationPrice,
    update: updateOrganizationPrice,
    remove: removeOrganizationPrice,
    resolve: resolveOrganizationPrice,
  },
  project: {
    of: inProject,
    list: listProjectPrices,
    create: createProjectPrice,
    update: updateProjectPrice,
    remove: removeProjectPrice,
    resolve: resolveProjectPrice,
  },
} as const

const setFor = (scope: keyof typeof scopes, body: object) =>
  service.call(scopes[scope].create, { params: scopes[scope].of(), body }, owner)

describe('spans are priced at ingestion', () => {
  test('by the price list, with the source and date of the price', async () => {
    expect(await ingested({})).toMatchObject({
      cost_usd: 0.0035,
      cost_source: 'priced',
      computed_cost_usd: 0.0035,
      price_source: 'list:openai/gpt-4o',
      price_date: listDate,
      unpriced_reason: null,
    })
    const params = { ...inProject(), traceId: 'one' }
    expect((await service.call(readTrace, { params }, owner)).data.cost_usd).toBe(0.0035)
  })

  test('in addition to a reported cost, even if that is zero', async () => {
    const computed = { cost_source: 'reported', computed_cost_usd: 0.0035 }
    expect(await ingested({ cost_usd: 1.5 })).toMatchObject({ cost_usd: 1.5, ...computed })
    expect(await ingested({ cost_usd: 0 })).toMatchObject({ cost_usd: 0, ...computed })
  })

  test('or have the reason why not, and an unknown cost', async () => {
    const span = await ingested({ model: 'acme-7b' })
    expect(span).toMatchObject({
      cost_usd: null,
      cost_source: 'unknown',
      price_source: null,
      unpriced_reason: 'unknown_model',
    })
    const params = { ...inProject(), traceId: 'one' }
    expect((await service.call(readTrace, { params }, owner)).data.cost_usd).toBeNull()
  })

  test('by provider, tier and cache as sent in fields or attributes', async () => {
    const reported = {
      model: 'us.anthropic.claude-haiku-4-5-20251001-v1:0',
      provider: 'aws.bedrock',
      service_tier: 'BATCH',
      tokens_cache_write: 1000,
      tokens_cache_write_1h: 400,
    }
    expect(await ingested(reported)).toMatchObject({
      ...reported,
      service_tier: 'batch',
      price_source: 'list:aws/regional.anthropic.claude-haiku-4-5-20251001-v1:0',
    })
    const attributes = {
      'gen_ai.provider.name': 'ollama',
      'openai.response.service_tier': 'flex',
    }
    expect(await ingested({ attributes })).toMatchObject({
      provider: 'ollama',
      service_tier: 'flex',
      unpriced_reason: 'local_model',
      attributes,
    })
  })

  test('once per token, whether cached tokens are counted within the input or beside it', async () => {
    const cache = { tokens_cache_read: 128_955, tokens_cache_write: 1253, tokens_out: 0 }
    const sonnet = { model: 'claude-sonnet-4-5', ...cache }
    const expected = { tokens_in: 130_213, cost_usd: 0.04340025, unpriced_reason: null }
    expect(await ingested({ ...sonnet, tokens_in: 130_213 })).toMatchObject(expected)
    expect(await ingested({ ...sonnet, tokens_in: 5 })).toMatchObject(expected)
  })

  test('by the rules of their project in large batches and over OTLP as well', async () => {
    await setFor('project', { model: 'gpt-4o', ...prices })
    const large = await ingested({ input: 'x'.repeat(100_000) })
    expect(large).toMatchObject({
      cost_usd: 0.12,
      price_source: expect.stringMatching(/^project:/),
    })

    const attribute = (key: string, value: object) => ({ key, value })
    const raw = jsonBytes({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: '0af7651916cd43dd8448eb211c80319c',
                  spanId: 'b7ad6b7169203331',
                  name: 'chat gpt-4o',
                  startTimeUnixNano: '1795170484075000000',
                  endTimeUnixNano: '1795170484095000000',
                  attributes: [
                    attribute('gen_ai.operation.name', { stringValue: 'chat' }),
                    attribute('gen_ai.provider.name', { stringValue: 'openai' }),
                    attribute('gen_ai.response.model', { stringValue: 'gpt-4o-2024-08-06' }),
                    attribute('gen_ai.usage.input_tokens', { intValue: '1000' }),
                    attribute('gen_ai.usage.output_tokens', { intValue: '100' }),
                  ],
                },
              ],
            },
          ],
        },
      ],
    })
    const as = acme.keyHeader
    const send = { 'content-type': 'application/json' }
    expect((await service.call(exportTraces, { raw, send }, as)).status).toBe(200)
    const span = await getSpan('b7ad6b7169203331', '0af7651916cd43dd8448eb211c80319c')
    expect(span).toMatchObject({
      provider: 'openai',
      cost_usd: 0.12,
      price_source: large.price_source,
    })
  })
})

describe.each(['organization', 'project'] as const)('prices of %s', (scope) => {
  const { of, list, create, update, remove } = scopes[scope]
  const absent = '00000000-0000-4000-8000-000000000000'

  test('POST sets one, which applies to the next batch', async () => {
    await ingested({})
    const terms = {
      ...prices,
      cache_read_usd_per_mtok: 10,
      long_context: { above_tokens: 5000, input_usd_per_mtok: 300, output_usd_per_mtok: 400 },
      service_tiers: { flex: 0.5 },
    }
    const body = {
      model: 'GPT-4o',
      ...terms,
      valid_from: '2026-01-02T03:04:05Z',
      note: ' by contract ',
    }
    const response = await service.call(create, { params: of(), body }, owner)
    expect(response.status).toBe(201)
    expect(response.data).toEqual({
      ...{ id: expect.any(String), scope, kind: 'price', model: 'GPT-4o', provider: null },
      ...{ valid_from: '2026-01-02T03:04:05.000Z', valid_to: null, note: 'by contract' },
      ...{ ...terms, cache_write_usd_per_mtok: null, cache_write_1h_usd_per_mtok: null },
      long_context: {
        ...{ above_tokens: 5000, input_usd_per_mtok: 300, output_usd_per_mtok: 400 },
        cache_read_usd_per_mtok: null,
        cache_write_usd_per_mtok: null,
        cache_write_1h_usd_per_mtok: null,
      },
      ...{ request_usd: null, target_model: null, target_provider: null },
      ...{ created_at: expect.any(String), updated_at: response.data.created_at },
    })
    const price_source = `${scope}:${response.data.id}`
    const own = { price_source, price_date: '2026-01-02' }
    expect(await ingested({ tokens_cache_read: 500 })).toMatchObject({ cost_usd: 0.075, ...own })
    expect(await ingested({ tokens_in: 5001 })).toMatchObject({ cost_usd: 1.5403 })
    expect(await ingested({ service_tier: 'flex' })).toMatchObject({ cost_usd: 0.06 })
    expect(await ingested({ service_tier: 'batch' })).toMatchObject({
      unpriced_reason: 'no_tier_price',
    })
    expect(await ingested({ started_at: '2026-01-02T03:04:04Z' })).toMatchObject({
      price_source: 'list:openai/gpt-4o',
    })
  })

  test('POST sets an alias for a deployment name', async () => {
    const target_model = 'gpt-4o'
    const body = { kind: 'alias', model: 'prod-*', provider: 'azure', target_model }
    const response = await service.call(create, { params: of(), body }, owner)
    expect(response.data).toMatchObject({ kind: 'alias', target_model, input_usd_per_mtok: null })
    const deployed = { model: 'prod-chat', provider: 'azure.ai.openai' }
    expect(await ingested(deployed)).toMatchObject({ price_source: 'list:openai/gpt-4o' })
    expect(await ingested({ ...deployed, provider: 'openai' })).toMatchObject({
      unpriced_reason: 'unknown_model',
    })
  })

  test.each<[object, RegExp]>([
    [{ ...prices }, /^model/],
    [{ model: ' ', ...prices }, /^model/],
    [{ model: 'm', input_usd_per_mtok: 1 }, /^output_usd_per_mtok is needed for a price/],
    [{ model: 'm', ...prices, input_usd_per_mtok: -1 }, /^input_usd_per_mtok/],
    [{ model: 'm', ...prices, input_usd_per_mtok: '1' }, /^input_usd_per_mtok/],
    [{ model: 'm', ...prices, cache_read_usd_per_mtok: 101 }, /^cache_read_usd_per_mtok must not/],
    [{ model: 'm', ...prices, target_model: 'x' }, /^target_model must not be set for a price/],
    [{ kind: 'alias', model: 'm' }, /^target_model is needed for an alias/],
    [{ kind: 'alias', model: 'm', target_model: 'x', ...prices }, /must not be set for an alias/],
    [{ model: 'm', ...prices, service_tiers: { flex: -1 } }, /^service_tiers.flex/],
    [{ model: 'm', ...prices, long_context: { above_tokens: 0, ...prices } }, /^long_context/],
    [{ model: 'm', ...prices, valid_from: 'yesterday' }, /^valid_from/],
    [
      {
        model: 'm',
        ...prices,
        valid_from: '2026-01-02T00:00:00Z',
        valid_to: '2026-01-02T00:00:00Z',
      },
      /^valid_to must be after/,
    ],
  ])('POST refuses %j', async (body, message) => {
    const response = await service.call(create, { params: of(), body }, owner)
    expect(response).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
    expect(response.error.message).toMatch(message)
    expect((await service.call(list, { params: of() }, owner)).data).toEqual([])
  })

  test('POST refuses a second one for the same name and start time, in any spelling', async () => {
    const body = { model: 'm', provider: 'aws', ...prices }
    await service.call(create, { params: of(), body }, owner)
    const same = { ...body, model: 'M', provider: 'Amazon-Bedrock', input_usd_per_mtok: 0 }
    const response = await service.call(create, { params: of(), body: same }, owner)
    expect(response).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    for (const other of [{ provider: null }, { valid_from: started_at }, { model: 'm*' }]) {
      const own = await service.call(create, { params: of(), body: { ...body, ...other } }, owner)
      expect(own.status).toBe(201)
    }
  })

  test('POST refuses more than the limit', async () => {
    const { data } = await service.call(
      create,
      { params: of(), body: { model: 'm', ...prices } },
      owner,
    )
    const stored = await service.accounts.prices.listEffective(acme.projectId)
    const row = stored.find(({ id }) => id === data.id)!
    for (let i = 1; i < limits.priceRules.value; i += 1) {
      await service.accounts.prices.insert({
        ...row,
        id: `${row.id} ${i}`,
        identity: `${row.id} ${i}`,
      })
    }
    const response = await service.call(
      create,
      { params: of(), body: { model: 'n', ...prices } },
      owner,
    )
    expect(response).toMatchObject({
      status: 409,
      error: { message: expect.stringMatching(/can have at most 200 prices and aliases/) },
    })
  })

  test('PATCH changes the given fields, removes null ones, and validates the result', async () => {
    const body = { model: 'gpt-4o', ...prices, note: 'n', cache_read_usd_per_mtok: 50 }
    const { data: before } = await service.call(create, { params: of(), body }, owner)
    const change = (reported: object) =>
      service.call(update, { params: { ...of(), priceId: before.id }, body: reported }, owner)
    const { data: after } = await change({ input_usd_per_mtok: 60, note: null })
    expect(after).toEqual({
      ...before,
      input_usd_per_mtok: 60,
      note: null,
      updated_at: expect.any(String),
    })
    expect((await service.call(list, { params: of() }, owner)).data).toEqual([after])
    expect(await ingested({})).toMatchObject({ cost_usd: 0.08 })

    for (const reported of [
      {},
      { input_usd_per_mtok: 40 },
      { input_usd_per_mtok: null },
      { target_model: 'x' },
      { model: '' },
    ]) {
      expect(await change(reported)).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR' },
      })
    }
    expect((await service.call(list, { params: of() }, owner)).data).toEqual([after])
  })

  test('PATCH refuses a change that would duplicate another one', async () => {
    await service.call(create, { params: of(), body: { model: 'a', ...prices } }, owner)
    const { data } = await service.call(
      create,
      { params: of(), body: { model: 'b', ...prices } },
      owner,
    )
    const params = { ...of(), priceId: data.id }
    const response = await service.call(update, { params, body: { model: 'A' } }, owner)
    expect(response).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    const same = await service.call(update, { params, body: { model: 'B' } }, owner)
    expect(same).toMatchObject({ status: 200, data: { model: 'B' } })
  })

  test('DELETE removes one, and the next batch is priced by the list', async () => {
    const { data } = await service.call(
      create,
      { params: of(), body: { model: 'gpt-4o', ...prices } },
      owner,
    )
    expect(await ingested({})).toMatchObject({ cost_usd: 0.12 })
    const params = { ...of(), priceId: data.id }
    const response = await service.call(remove, { params }, owner)
    expect(response).toMatchObject({ status: 200, data: { status: 'removed' } })
    expect(await ingested({})).toMatchObject({ cost_usd: 0.0035 })
    expect(await service.call(remove, { params }, owner)).toMatchObject({ status: 404 })
  })

  test('PATCH and DELETE do not find missing ones and those of others', async () => {
    const elsewhere = scope === 'project' ? 'organization' : 'project'
    const { data } = await setFor(elsewhere, { model: 'm', ...prices })
    for (const priceId of [absent, data.id]) {
      const params = { ...of(), priceId }
      const refused = { status: 404, error: { code: 'NOT_FOUND' } }
      expect(await service.call(update, { params, body: { model: 'x' } }, owner)).toMatchObject(
        refused,
      )
      expect(await service.call(remove, { params }, owner)).toMatchObject(refused)
    }
    const rest = await service.call(
      scopes[elsewhere].list,
      { params: scopes[elsewhere].of() },
      owner,
    )
    expect(rest.data).toEqual([data])
  })

  test('every change is in the audit log', async () => {
    const { data } = await service.call(
      create,
      { params: of(), body: { model: 'm', ...prices } },
      owner,
    )
    const params = { ...of(), priceId: data.id }
    await service.call(update, { params, body: { note: 'x' } }, owner)
    await service.call(remove, { params }, owner)
    const log = await service.call(listAuditLog, { params: inOrganization() }, owner)
    const lines = log.data.filter(({ target }) => target.id === data.id)
    const details = {
      model: 'm',
      kind: 'price',
      project_id: scope === 'project' ? acme.projectId : null,
    }
    expect(lines).toMatchObject([
      { action: 'price.removed', details },
      { action: 'price.updated', details },
      { action: 'price.created', details },
    ])
  })
})

test('a project lists its own, then those of its organization, and no others', async () => {
  const reported = async (scope: keyof typeof scopes, model: string) =>
    (await setFor(scope, { model, ...prices })).data
  const b = await reported('organization', 'b')
  const a = await reported('organization', 'a')
  const c = await reported('project', 'c')
  const other = await service.addTenant()
  const otherOwner = await service.signedIn(other.members.Owner)
  const params = { projectId: other.projectId }
  await service.call(createProjectPrice, { params, body: { model: 'x', ...prices } }, otherOwner)

  const ofProject = await service.call(listProjectPrices, { params: inProject() }, owner)
  expect(ofProject.data).toEqual([c, a, b])
  const ofOrganization = await service.call(
    listOrganizationPrices,
    { params: inOrganization() },
    owner,
  )
  expect(ofOrganization.data).toEqual([a, b])
})

describe('GET …/prices/resolve', () => {
  const resolved = (scope: keyof typeof scopes, query: object) =>
    service.call(scopes[scope].resolve, { params: scopes[scope].of(), query }, owner)

  test.each(['organization', 'project'] as const)(
    'returns for %s the price and why',
    async (scope) => {
      const query = { model: 'anthropic/claude-sonnet-4.5', provider: 'openrouter', at: started_at }
      const { data } = await resolved(scope, query)
      expect(data).toMatchObject({
        price: {
          source: 'list:openrouter/anthropic/claude-sonnet-4.5',
          scope: 'list',
          rule_id: null,
          date: listDate,
          listed_provider: 'openrouter',
          service_tier_factor: 1,
          input_usd_per_mtok: 3,
          output_usd_per_mtok: 15,
          cache_read_usd_per_mtok: 0.3,
          long_context: [{ above_tokens: 200_000, input_usd_per_mtok: 6 }],
        },
        alias: null,
        unpriced_reason: null,
      })
      expect(data.why).toBe(
        `Priced as anthropic/claude-sonnet-4.5 of openrouter, from the price list of ${listDate}.`,
      )
    },
  )

  test('applies aliases, custom prices and tiers, and the project before the organization', async () => {
    const alias = await setFor('organization', {
      kind: 'alias',
      model: 'prod',
      target_model: 'gpt-4o',
    })
    const query = { model: 'prod', service_tier: 'flex', at: started_at }
    const byAlias = await resolved('project', query)
    expect(byAlias.data).toMatchObject({
      price: { source: 'list:openai/gpt-4o', service_tier_factor: 0.5 },
      alias: { rule_id: alias.data.id, target_model: 'gpt-4o', target_provider: null },
      why: `The organization has an alias from prod to gpt-4o. Priced as gpt-4o of openai, from the price list of ${listDate}. The service tier multiplies it by 0.5.`,
    })
    const own = await setFor('project', { model: 'prod', ...prices })
    expect((await resolved('project', { model: 'prod' })).data).toMatchObject({
      price: {
        scope: 'project',
        rule_id: own.data.id,
        listed_model: null,
        input_usd_per_mtok: 100,
      },
      alias: null,
    })
    expect((await resolved('organization', { model: 'prod' })).data.alias).not.toBeNull()
  })

  test('returns why there is no price', async () => {
    const { data } = await resolved('project', { model: 'llama3:8b', provider: 'ollama' })
    expect(data).toMatchObject({ price: null, unpriced_reason: 'local_model' })
    expect(data.why).toContain('Local models have no list price')
  })

  test.each([{}, { model: '' }, { model: 'm', at: 'now' }])('refuses %j', async (query) => {
    for (const scope of ['project', 'organization'] as const) {
      const refused = { status: 400, error: { code: 'VALIDATION_ERROR' } }
      expect(await resolved(scope, query)).toMatchObject(refused)
    }
  })
})

describe('GET …/prices/models', () => {
  const observedModels = (query: object = {}) =>
    service.call(listObservedModels, { params: inProject(), query }, owner)

  test('lists recently called models with their current price, unpriced ones first', async () => {
    const now = new Date().toISOString()
    const recent = { started_at: now }
    await ingested({ ...recent, model: 'acme-7b' }, 'a')
    await ingested({ ...recent, provider: 'openai' }, 'b')
    await ingested({ ...recent, provider: 'openai', cost_usd: 1 }, 'c')
    await ingested({ model: 'long-ago', started_at: '2026-01-01T00:00:00Z' }, 'd')
    const own = await setFor('project', { model: 'acme-*', ...prices })
    const response = await observedModels()
    expect(response.meta).toEqual({ trace_count: 3, is_complete: true })
    expect(response.data).toMatchObject([
      {
        ...{ model: 'acme-7b', provider: null, service_tier: null, last_seen_at: now },
        ...{ span_count: 1, unpriced_call_count: 1, cost_usd: null, compared: null },
        resolved: { price: { rule_id: own.data.id } },
      },
      {
        ...{ model: 'gpt-4o', provider: 'openai', span_count: 2, unpriced_call_count: 0 },
        cost_usd: 1.0035,
        compared: { span_count: 1, reported_usd: 1, computed_usd: 0.0035 },
        resolved: { price: { source: 'list:openai/gpt-4o' } },
      },
    ])
    const old = await observedModels({ from: '2025-12-31T00:00:00Z', to: '2026-02-01T00:00:00Z' })
    expect(old.data.map(({ model }) => model)).toEqual(['long-ago'])
  })

  test('does not count calls without tokens as unpriced', async () => {
    const failed = { started_at: new Date().toISOString(), status: 'ERROR' }
    await ingested({ ...failed, tokens_in: undefined, tokens_out: undefined }, 'a')
    await ingested({ ...failed, model: 'acme-7b' }, 'b')
    expect((await observedModels()).data).toMatchObject([
      { model: 'acme-7b', span_count: 1, unpriced_call_count: 1 },
      { model: 'gpt-4o', span_count: 1, unpriced_call_count: 0, cost_usd: null },
    ])
  })

  test('refuses an invalid time range', async () => {
    expect(await observedModels({ from: 'x' })).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    })
  })
})
