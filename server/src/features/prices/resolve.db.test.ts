import { describe, expect, test } from 'vitest'
import { prices, pricingSuite, startedAt } from '../../../test/pricing-suite.ts'
import { listDate } from '../../models/price-list.ts'

const { create, owner, scopes, service } = pricingSuite()

describe('GET …/prices/resolve', () => {
  const resolved = (scope: keyof typeof scopes, query: object) =>
    service.call(scopes[scope].resolve, { params: scopes[scope].of(), query }, owner)

  test.each(['organization', 'project'] as const)(
    'returns for %s the price and why',
    async (scope) => {
      const query = { model: 'anthropic/claude-sonnet-4.5', provider: 'openrouter', at: startedAt }
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
    const alias = await create('organization', {
      kind: 'alias',
      model: 'prod',
      target_model: 'gpt-4o',
    })
    const query = { model: 'prod', service_tier: 'flex', at: startedAt }
    const byAlias = await resolved('project', query)
    expect(byAlias.data).toMatchObject({
      price: { source: 'list:openai/gpt-4o', service_tier_factor: 0.5 },
      alias: { rule_id: alias.data.id, target_model: 'gpt-4o', target_provider: null },
      why: `The organization has an alias from prod to gpt-4o. Priced as gpt-4o of openai, from the price list of ${listDate}. The service tier multiplies it by 0.5.`,
    })
    const own = await create('project', { model: 'prod', ...prices })
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
