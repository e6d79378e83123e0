import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { expect, test } from 'vitest'
import { keepsKey, toModelBody, toModelValues } from './model-values.ts'

const config: ModelConfig = {
  ...{ id: 'a', organization_id: 'b', label: 'Judge', provider: 'openai', model: 'gpt-5-mini' },
  ...{ base_url: 'https://proxy.test/v1', has_api_key: true },
  ...{ input_usd_per_mtok: 0, output_usd_per_mtok: 2.5, cache_read_usd_per_mtok: null },
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
}

test('a form that is not changed sends what is stored, without a key', () => {
  const { label, provider, model, base_url } = config
  expect(toModelBody(toModelValues(config))).toEqual({
    ...{ label, provider, model, base_url },
    ...{ input_usd_per_mtok: 0, output_usd_per_mtok: 2.5, cache_read_usd_per_mtok: null },
  })
})

test('a model without a name has that of the model, and emptied fields are removed', () => {
  const values = { ...toModelValues(config), label: ' ', base_url: '', output_usd_per_mtok: '1,5' }
  expect(toModelBody({ ...values, api_key: ' sk-1 ', input_usd_per_mtok: 'x' })).toEqual({
    ...{ label: 'gpt-5-mini', provider: 'openai', model: 'gpt-5-mini', base_url: null },
    ...{ api_key: 'sk-1', input_usd_per_mtok: Number.NaN, output_usd_per_mtok: 1.5 },
    cache_read_usd_per_mtok: null,
  })
})

test.each([
  ['the same address', {}, true],
  ['the same address with a slash', { base_url: 'https://proxy.test/v1/' }, true],
  ['another model', { model: 'gpt-5' }, true],
  ['another address', { base_url: 'https://proxy.test/v2' }, false],
  ['no address', { base_url: '' }, false],
  ['another provider', { provider: 'mistral' }, false],
] as const)('with %s, a stored key stays: %s', (_what, change, expected) => {
  expect(keepsKey({ ...toModelValues(config), ...change }, config)).toBe(expected)
  expect(keepsKey({ ...toModelValues(config), ...change }, { ...config, has_api_key: false })).toBe(
    false,
  )
})
