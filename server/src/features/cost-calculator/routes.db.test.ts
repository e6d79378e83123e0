import { call } from '@assay/contract/client.ts'
import { defaultEstimateModels, estimateCost } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { createOrganizationPrice, createProjectPrice } from '@assay/contract/prices.ts'
import { recommend } from '@assay/contract/recommendations.ts'
import { describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const owner = signedInPerTest(service, () => tenant.members.Owner)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)

const others = tenantPerTest(service)
const stranger = signedInPerTest(service, () => others.members.Owner)

const agent_config = { system_prompt: 'You answer questions about orders.' }
const estimate = (body: object, as = viewer) =>
  service.call(
    estimateCost,
    { params: { projectId: tenant.projectId }, body: { agent_config, ...body } },
    as,
  )
const perModel = async (body: object) => (await estimate(body)).data.perModel
const firstOf = async (body: object) => {
  const [one] = await perModel(body)
  if (one === undefined) throw new Error('no model')
  return one
}
const text = (length: number) => 'x'.repeat(length)

describe('an estimate', () => {
  test('T17: needs no model, no key and no network, and prices every default model', async () => {
    const { status, data } = await estimate({})
    expect([status, data.scenarioCount]).toEqual([200, 3])
    expect(data.perModel.map(({ model }) => model)).toEqual(defaultEstimateModels)
    for (const { costUsd, costUsdP10, costUsdP90, priceSource } of data.perModel) {
      expect(costUsd).toBeGreaterThan(0)
      expect(costUsdP10).toBeLessThan(costUsd ?? 0)
      expect(costUsdP90).toBeGreaterThan(costUsd ?? 0)
      expect(priceSource).toMatch(/^list:/)
    }
  })

  test('keeps the order of the models and their names, repeated ones included', async () => {
    const models = ['gpt-4o', 'no-such-model', 'openai/gpt-4o-mini', 'gpt-4o']
    expect((await perModel({ models })).map(({ model }) => model)).toEqual(models)
  })

  test('is the same for the same request', async () => {
    expect((await estimate({})).data).toEqual((await estimate({})).data)
  })

  test('T7, T15, T21: has null costs and a reason for a model without a price, and no default', async () => {
    const models = ['gpt-99', 'ollama/llama3', 'some-gateway/gpt-4o-mini-2031', 'gpt-4o']
    const { perModel: all, totalCostUsd } = (await estimate({ models })).data
    expect(all.map(({ costUsd }) => costUsd === null)).toEqual([true, true, true, false])
    expect(all[0]).toMatchObject({
      ...{ unpricedReason: 'unknown_model', costPerScenarioUsd: null, provider: null },
      why: 'The model is not in the price list. Set a price for it, or an alias to a listed model.',
    })
    expect(all[1]?.unpricedReason).toBe('local_model')
    expect(totalCostUsd).toBe(all[3]?.costUsd)
  })

  test('T7: prices a regional profile of Bedrock above the global one', async () => {
    const [us, global] = await perModel({
      models: ['us', 'global'].map(
        (region) => `${region}.anthropic.claude-sonnet-4-5-20250929-v1:0`,
      ),
    })
    expect((us?.costUsd ?? 0) / (global?.costUsd ?? 1)).toBeCloseTo(1.1, 3)
  })

  test('T13, T14: uses the custom prices and aliases of the project, 0 included', async () => {
    const price = { model: 'my-model', input_usd_per_mtok: 0, output_usd_per_mtok: 0 }
    const alias = { kind: 'alias', model: 'prod-chat', target_model: 'gpt-4o' }
    const params = { projectId: tenant.projectId }
    const ofOrganization = { params: { orgId: tenant.organizationId }, body: alias }
    await service.call(createProjectPrice, { params, body: price }, owner)
    await service.call(createOrganizationPrice, ofOrganization, owner)
    const [free, aliased, direct] = await perModel({ models: ['my-model', 'prod-chat', 'gpt-4o'] })
    expect([free?.costUsd, free?.costUsdP90, free?.unpricedReason]).toEqual([0, 0, null])
    expect(free?.priceSource).toMatch(/^project:/)
    expect(aliased).toEqual({ ...direct, model: 'prod-chat' })
  })

  test('of model configurations uses their own prices, else those of the project', async () => {
    const create = async (body: object) => {
      const whole = { label: 'm', provider: 'openai', model: 'gpt-4o', api_key: 'k', ...body }
      const params = { orgId: tenant.organizationId }
      return (await service.call(createModelConfig, { params, body: whole }, owner)).data.id
    }
    const plain = await create({})
    const own = await create({ input_usd_per_mtok: 1000, output_usd_per_mtok: 1000 })
    const ids = [own, plain.toUpperCase()]
    const [expensive, listed] = await perModel({ model_config_ids: ids })
    expect(expensive).toMatchObject({ modelConfigId: own, priceSource: `config:${own}` })
    expect(expensive?.costUsd).toBeGreaterThan(50 * (listed?.costUsd ?? 0))
    const byName = await firstOf({ models: ['gpt-4o'] })
    expect(listed).toEqual({ ...byName, modelConfigId: plain })
  })

  test('of a model configuration of another organization is refused', async () => {
    const body = { label: 'm', provider: 'openai', model: 'gpt-4o', api_key: 'k' }
    const params = { orgId: others.organizationId }
    const { data } = await service.call(createModelConfig, { params, body }, stranger)
    const { status, error } = await estimate({ model_config_ids: [data.id] })
    expect([status, error.code]).toEqual([404, 'NOT_FOUND'])
    expect(error.details).toEqual({ field: 'model_config_ids' })
  })

  test('T11: is priced at the service tier, and has no cost where its price is unknown', async () => {
    const models = ['gpt-4o', 'mistral-large-2512']
    const costs = async (service_tier: string) =>
      (await perModel({ models, service_tier })).map(({ costUsd }) => costUsd)
    const [standard] = await costs('standard')
    for (const tier of ['batch', 'flex']) {
      expect((await costs(tier))[0]).toBeCloseTo((standard ?? 0) / 2, 6)
    }
    const [, unknown] = await perModel({ models, service_tier: 'flex' })
    expect(unknown).toMatchObject({ costUsd: null, unpricedReason: 'no_tier_price' })
  })

  test('T11: of a model configuration with own prices has no cost at another service tier', async () => {
    const body = { label: 'm', provider: 'openai', model: 'gpt-4o', api_key: 'k' }
    const prices = { input_usd_per_mtok: 1, output_usd_per_mtok: 1 }
    const args = { params: { orgId: tenant.organizationId }, body: { ...body, ...prices } }
    const { id } = (await service.call(createModelConfig, args, owner)).data
    const [batch] = await perModel({ model_config_ids: [id], service_tier: 'batch' })
    expect(batch).toMatchObject({ costUsd: null, unpricedReason: 'no_tier_price' })
  })

  test('grows with the prompt, the tools and the conversation', async () => {
    const cost = async (config: object, more = {}) =>
      (await firstOf({ agent_config: { ...agent_config, ...config }, models: ['gpt-4o'], ...more }))
        .costUsd ?? 0
    const plain = await cost({})
    const tools = [
      { name: 'look_up', description: 'Finds an order.', content: '{"type":"object"}' },
    ]
    expect(await cost({ system_prompt: 'word '.repeat(2000) })).toBeGreaterThan(plain)
    expect(await cost({ tone: 'word '.repeat(300) })).toBeGreaterThan(plain)
    expect(await cost({ memory: 'word '.repeat(300) })).toBeGreaterThan(plain)
    expect(await cost({ tools })).toBeGreaterThan(plain)
    expect(await cost({}, { include_multi_turn: true, scenario_count: 4 })).toBeGreaterThan(plain)
  })

  test('of a month is runs_per_month times the mean run', async () => {
    const { monthlyUsd, meanRunUsd } = await firstOf({ volumes: { runs_per_month: 5000 } })
    expect(monthlyUsd).toBeCloseTo(5000 * (meanRunUsd ?? 0), 3)
  })

  test('of a model with enough recorded runs of its own uses these, and else those of all models', async () => {
    const own = (model: string, runs: number, tokens_out_mean: number) => ({
      ...{ model, runs, llm_calls_mean: 10, tokens_in_mean: 50_000, tokens_out_mean },
    })
    const by_model = [own('openai/o4-mini', 30, 9000), own('gpt-4o', 2, 500)]
    const all = { runs: 32, model: 'o4-mini', llm_calls_mean: 10, tokens_out_mean: 8000 }
    const models = ['gpt-4o', 'o4-mini']
    const [few, many] = await perModel({ models, volumes: { ...all, by_model } })
    const [blended] = await perModel({ models, volumes: all })
    const runsOf = (one: typeof few) => one?.assumptions[0]
    const assumption = { unit: 'runs', origin: 'imported' }
    expect(runsOf(many)).toEqual({ name: 'recorded_runs_of_model', value: 30, ...assumption })
    expect(runsOf(few)).toEqual({ name: 'recorded_runs', value: 32, ...assumption })
    expect(few?.outputTokens).toBe(blended?.outputTokens)
    expect(many?.outputTokens).toBeGreaterThan(few?.outputTokens ?? 0)
  })

  test('T22: of 200 kB without a space is served', async () => {
    const tools = Array.from({ length: 10 }, (_, n) => ({ name: `t${n}`, content: text(20_000) }))
    const { status, data } = await estimate({ agent_config: { ...agent_config, tools } })
    expect([status, data.perModel.length]).toEqual([200, defaultEstimateModels.length])
  })

  test('of an agent at all limits is served, in any script', async () => {
    const content = '订单'.repeat(10_000)
    const tools = Array.from({ length: 50 }, () => ({
      ...{ name: '工'.repeat(200), description: '具'.repeat(512), content },
    }))
    const system_prompt = '退'.repeat(20_000)
    expect((await estimate({ agent_config: { system_prompt, tools } })).status).toBe(200)
  })

  test('is refused to people of other organizations, and open to viewers', async () => {
    expect((await estimate({}, stranger)).error.code).toBe('PROJECT_NOT_FOUND')
    expect((await estimate({}, viewer)).status).toBe(200)
  })

  test('can be called with the client of the contract', async () => {
    const options = { params: { projectId: tenant.projectId }, body: { agent_config } }
    const data = await call(service.api, estimateCost, options, { headers: viewer })
    expect(data.perModel).toHaveLength(10)
  })
})

describe('an invalid request', () => {
  const tool = { name: 'look_up' }
  const withTool = (changes: object) => ({
    agent_config: { ...agent_config, tools: [{ ...tool, ...changes }] },
  })
  const rows: readonly (readonly [what: string, body: object, named: string])[] = [
    [
      'both kinds of models',
      { models: ['gpt-4o'], model_config_ids: [crypto.randomUUID()] },
      'model_config_ids must not be set together with models',
    ],
    ['no models', { models: [] }, 'models'],
    ['too many models', { models: Array.from({ length: 21 }, () => 'gpt-4o') }, 'models'],
    ['an empty name', { models: [' '] }, 'models'],
    ['ids that are none', { model_config_ids: ['1'] }, 'model_config_ids'],
    ['no scenario', { scenario_count: 0 }, 'scenario_count'],
    ['1001 scenarios', { scenario_count: 1001 }, 'scenario_count'],
    ['half a scenario', { scenario_count: 1.5 }, 'scenario_count'],
    ['an empty prompt', { agent_config: { system_prompt: '' } }, 'system_prompt'],
    ['a long prompt', { agent_config: { system_prompt: text(20_001) } }, 'system_prompt'],
    ['a long tone', { agent_config: { ...agent_config, tone: text(2001) } }, 'tone'],
    ['a long memory', { agent_config: { ...agent_config, memory: text(4001) } }, 'memory'],
    [
      '51 tools',
      { agent_config: { ...agent_config, tools: Array.from({ length: 51 }, () => tool) } },
      'tools',
    ],
    ['a tool without a name', withTool({ name: '' }), 'name'],
    ['a long tool name', withTool({ name: text(201) }), 'name'],
    ['a long description', withTool({ description: text(513) }), 'description'],
    ['a long content', withTool({ content: text(20_001) }), 'content'],
    ['another kind of tool', withTool({ kind: 'robot' }), 'kind'],
    ['p90 below p50', { volumes: { turns_p50: 3, turns_p90: 2 } }, 'turns_p90'],
    [
      'p90 below p50 of a model',
      { volumes: { by_model: [{ model: 'm', runs: 1, turns_p50: 3, turns_p90: 2 }] } },
      'turns_p90',
    ],
    ['a cached share above 1', { volumes: { cached_share: 1.1 } }, 'cached_share'],
    ['no recorded runs', { volumes: { runs: 0 } }, 'runs'],
    [
      'too many calls',
      { volumes: { llm_calls_p50: limits.callsPerRun.value + 1 } },
      'llm_calls_p50',
    ],
  ]

  test('is refused with a message that has the field', async () => {
    for (const [what, body, named] of rows) {
      const { status, error } = await estimate(body)
      expect([what, status, error.code, error.details]).toEqual([what, 400, 'VALIDATION_ERROR', {}])
      expect(error.message).toContain(named)
    }
  })
})

describe('a recommendation', () => {
  const params = () => ({ projectId: tenant.projectId })
  const request = (body: object, as = viewer) =>
    service.call(recommend, { params: params(), body }, as)
  const a = { label: 'a', cost_usd: 0.01, scores: Array.from({ length: 30 }, () => 1) }
  const b = { label: 'b', cost_usd: 0.02, scores: Array.from({ length: 30 }, () => 0) }

  test('is open to viewers, and the same whatever the order of the candidates', async () => {
    const { status, data } = await request({ candidates: [a, b] })
    expect([status, data.verdict, data.recommended]).toEqual([200, 'recommended', 'a'])
    expect((await request({ candidates: [b, a] })).data).toEqual(data)
  })

  test('is refused to people of other organizations', async () => {
    const { error } = await request({ candidates: [a, b] }, stranger)
    expect(error.code).toBe('PROJECT_NOT_FOUND')
  })

  test('of one candidate has the raw issue too_small', async () => {
    const { status, error } = await request({ candidates: [a] })
    const message = 'candidates must have at least 2 items'
    expect([status, error]).toEqual([
      400,
      {
        ...{ code: 'VALIDATION_ERROR', message },
        details: { issues: [{ code: 'too_small', path: ['candidates'], message }] },
      },
    ])
  })

  test('of many bad candidates has five raw issues', async () => {
    const bad = { label: '', cost_usd: -1, score: 2, samples: 0, scores: [], latency_ms: '1' }
    const { status, error } = await request({ candidates: [bad, bad] })
    const { issues } = error.details as { issues: { code: string; path: string[] }[] }
    expect([status, issues.length]).toEqual([400, 5])
    expect(issues[0]).toMatchObject({ code: 'too_small', path: ['candidates', '0', 'label'] })
  })

  test.each<readonly [what: string, body: object, named: string]>([
    ['a label twice', { candidates: [a, b, a] }, 'candidates[2].label must not be the label of'],
    ['no cost', { candidates: [a, { label: 'b' }] }, 'candidates[1].cost_usd is required'],
    ['weights of 0', { candidates: [a, b], weights: { cost: 0 } }, 'weights must not all be 0'],
    ['51 candidates', { candidates: Array(51).fill(a) }, 'candidates must have at most 50 items'],
  ])('of %s is refused', async (_what, body, named) => {
    const { status, error } = await request(body)
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toContain(named)
  })

  test('of a large body, which is checked in another thread, is the same, and so are refusals', async () => {
    const padding = { padding: text(100_000) }
    const { data } = await request({ candidates: [a, b] })
    expect(await request({ candidates: [a, b], ...padding })).toMatchObject({ status: 200, data })
    const { status, error } = await request({ candidates: [a] })
    const refused = await request({ candidates: [a], ...padding })
    expect([refused.status, refused.error]).toEqual([status, error])
    const torn = `{"padding":"${text(100_000)}"`
    const malformed = await service.call(recommend, { params: params(), raw: torn }, viewer)
    expect([malformed.status, malformed.error.message]).toEqual([
      400,
      'The body is not valid JSON.',
    ])
  })

  test('of a body that is not JSON is 400, unlike elsewhere', async () => {
    const { status, error } = await service.call(recommend, { params: params(), raw: '{' }, viewer)
    expect([status, error.message]).toEqual([400, 'The body is not valid JSON.'])
  })
})
