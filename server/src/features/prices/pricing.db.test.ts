import { exportTraces } from '@assay/contract/otlp.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import { jsonBytes } from '../../../test/otlp-request.ts'
import { prices, pricingSuite } from '../../../test/pricing-suite.ts'
import { listDate } from '../../models/price-list.ts'

const { acme, create, getSpan, ingested, inProject, owner, service } = pricingSuite()

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

  test('T12: in addition to a reported cost, even if that is zero', async () => {
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

  test('T3: once per token, whether cached tokens are counted within the input or beside it', async () => {
    const cache = { tokens_cache_read: 128_955, tokens_cache_write: 1253, tokens_out: 0 }
    const sonnet = { model: 'claude-sonnet-4-5', ...cache }
    const expected = { tokens_in: 130_213, cost_usd: 0.04340025, unpriced_reason: null }
    expect(await ingested({ ...sonnet, tokens_in: 130_213 })).toMatchObject(expected)
    expect(await ingested({ ...sonnet, tokens_in: 5 })).toMatchObject(expected)
  })

  test('by the rules of their project in large batches and over OTLP as well', async () => {
    await create('project', { model: 'gpt-4o', ...prices })
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
    const send = { 'content-type': 'application/json' }
    expect((await service.call(exportTraces, { raw, send }, acme.keyHeader)).status).toBe(200)
    const span = await getSpan('b7ad6b7169203331', '0af7651916cd43dd8448eb211c80319c')
    expect(span).toMatchObject({
      provider: 'openai',
      cost_usd: 0.12,
      price_source: large.price_source,
    })
  })
})
