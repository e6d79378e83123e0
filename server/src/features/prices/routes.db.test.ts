import { listAuditLog } from '@assay/contract/audit-log.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  createProjectPrice,
  listOrganizationPrices,
  listProjectPrices,
} from '@assay/contract/prices.ts'
import { describe, expect, test } from 'vitest'
import { prices, pricingSuite, startedAt } from '../../../test/pricing-suite.ts'

const { acme, create, ingested, inOrganization, inProject, owner, scopes, service } = pricingSuite()

describe.each(['organization', 'project'] as const)('prices of %s', (scope) => {
  const { of, list, update, remove } = scopes[scope]
  const set = (body: object) => create(scope, body)
  const listed = async () => (await service.call(list, { params: of() }, owner)).data
  const change = (priceId: string, body: object) =>
    service.call(update, { params: { ...of(), priceId }, body }, owner)
  const removed = (priceId: string) => service.call(remove, { params: { ...of(), priceId } }, owner)
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
    const response = await set(body)
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
    const response = await set(body)
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
    [{ model: 'a*b*c*d*e*f*', ...prices }, /^model must have at most 5 wildcards/],
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
    const response = await set(body)
    expect(response).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
    expect(response.error.message).toMatch(message)
    expect(await listed()).toEqual([])
  })

  test('POST refuses a second one for the same name and start time, in any spelling', async () => {
    const body = { model: 'm', provider: 'aws', ...prices }
    await set(body)
    const same = { ...body, model: 'M', provider: 'Amazon-Bedrock', input_usd_per_mtok: 0 }
    const response = await set(same)
    expect(response).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    for (const other of [{ provider: null }, { valid_from: startedAt }, { model: 'm*' }]) {
      const own = await set({ ...body, ...other })
      expect(own.status).toBe(201)
    }
  })

  test('a stored one with more wildcards than allowed applies, and its other fields can be changed', async () => {
    const { data } = await set({ model: '*g*p*t*4*o', ...prices })
    const owned = { organizationId: acme.organizationId, projectId: null }
    const of = scope === 'organization' ? owned : { ...owned, projectId: acme.projectId }
    const row = await service.accounts.prices.find(of, data.id)
    await service.accounts.prices.update({ ...row!, model: '*g*p*t*-*4*o' })
    expect((await change(data.id, { note: 'old' })).data).toMatchObject({
      ...{ model: '*g*p*t*-*4*o', note: 'old' },
    })
    expect(await ingested({})).toMatchObject({ price_source: `${scope}:${data.id}` })
    const refused = await change(data.id, { model: '*g*p*t*-*4*o*' })
    expect(refused).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
    expect(refused.error.message).toMatch(/^model must have at most 5 wildcards/)
    expect(await listed()).toMatchObject([{ model: '*g*p*t*-*4*o', note: 'old' }])
  })

  test('POST refuses more than the limit', async () => {
    const { data } = await set({ model: 'm', ...prices })
    const stored = await service.accounts.prices.listEffective(acme.projectId)
    const row = stored.find(({ id }) => id === data.id)!
    for (let i = 1; i < limits.priceRules.value; i += 1) {
      await service.accounts.prices.insert({
        ...row,
        id: `${row.id} ${i}`,
        identity: `${row.id} ${i}`,
      })
    }
    const response = await set({ model: 'n', ...prices })
    expect(response).toMatchObject({
      status: 409,
      error: { message: expect.stringMatching(/can have at most 200 prices and aliases/) },
    })
  })

  test('PATCH changes the given fields, removes null ones, and validates the result', async () => {
    const body = { model: 'gpt-4o', ...prices, note: 'n', cache_read_usd_per_mtok: 50 }
    const { data: before } = await set(body)
    const { data: after } = await change(before.id, { input_usd_per_mtok: 60, note: null })
    expect(after).toEqual({
      ...before,
      input_usd_per_mtok: 60,
      note: null,
      updated_at: expect.any(String),
    })
    expect(await listed()).toEqual([after])
    expect(await ingested({})).toMatchObject({ cost_usd: 0.08 })

    for (const reported of [
      {},
      { input_usd_per_mtok: 40 },
      { input_usd_per_mtok: null },
      { target_model: 'x' },
      { model: '' },
    ]) {
      expect(await change(before.id, reported)).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR' },
      })
    }
    expect(await listed()).toEqual([after])
  })

  test('PATCH refuses a change that would duplicate another one', async () => {
    await set({ model: 'a', ...prices })
    const { data } = await set({ model: 'b', ...prices })
    const response = await change(data.id, { model: 'A' })
    expect(response).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    const same = await change(data.id, { model: 'B' })
    expect(same).toMatchObject({ status: 200, data: { model: 'B' } })
  })

  test('DELETE removes one, and the next batch is priced by the list', async () => {
    const { data } = await set({ model: 'gpt-4o', ...prices })
    expect(await ingested({})).toMatchObject({ cost_usd: 0.12 })
    const response = await removed(data.id)
    expect(response).toMatchObject({ status: 200, data: { status: 'removed' } })
    expect(await ingested({})).toMatchObject({ cost_usd: 0.0035 })
    expect(await removed(data.id)).toMatchObject({ status: 404 })
  })

  test('PATCH and DELETE do not find missing ones and those of others', async () => {
    const elsewhere = scope === 'project' ? 'organization' : 'project'
    const { data } = await create(elsewhere, { model: 'm', ...prices })
    for (const priceId of [absent, data.id]) {
      const refused = { status: 404, error: { code: 'NOT_FOUND' } }
      expect(await change(priceId, { model: 'x' })).toMatchObject(refused)
      expect(await removed(priceId)).toMatchObject(refused)
    }
    const rest = await service.call(
      scopes[elsewhere].list,
      { params: scopes[elsewhere].of() },
      owner,
    )
    expect(rest.data).toEqual([data])
  })

  test('every change is in the audit log', async () => {
    const { data } = await set({ model: 'm', ...prices })
    await change(data.id, { note: 'x' })
    await removed(data.id)
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
    (await create(scope, { model, ...prices })).data
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
