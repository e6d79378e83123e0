import { bodyErrors } from '@assay/account/form/schema-errors.ts'
import { createProjectPrice, type PriceRule, priceRuleInput } from '@assay/contract/prices.ts'
import { describe, expect, test } from 'vitest'
import { type RuleValues, toRuleBody, toRuleValues } from './rule-values.ts'

const rule: PriceRule = {
  id: '0197a000-0000-7000-8000-000000000000',
  scope: 'project',
  kind: 'price',
  model: 'acme-large',
  provider: 'acme',
  valid_from: '2026-01-01T00:00:00.000Z',
  valid_to: '2027-01-01T00:00:00.000Z',
  input_usd_per_mtok: 2.5,
  output_usd_per_mtok: 10,
  cache_read_usd_per_mtok: 0.25,
  cache_write_usd_per_mtok: 3,
  cache_write_1h_usd_per_mtok: 5,
  request_usd: 0.01,
  long_context: {
    above_tokens: 200_000,
    input_usd_per_mtok: 5,
    output_usd_per_mtok: 20,
    cache_read_usd_per_mtok: 0.5,
    cache_write_usd_per_mtok: null,
    cache_write_1h_usd_per_mtok: null,
  },
  service_tiers: { batch: 0.5, priority: 2 },
  target_model: null,
  target_provider: null,
  note: 'contract 4711',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

const alias: PriceRule = {
  ...rule,
  kind: 'alias',
  input_usd_per_mtok: null,
  output_usd_per_mtok: null,
  cache_read_usd_per_mtok: null,
  cache_write_usd_per_mtok: null,
  cache_write_1h_usd_per_mtok: null,
  request_usd: null,
  long_context: null,
  service_tiers: null,
  target_model: 'gpt-4o',
  target_provider: 'openai',
}

describe('a rule that is opened and saved stays the same', () => {
  test.each([
    ['price with everything', rule],
    ['price with little', { ...rule, provider: null, long_context: null, service_tiers: null }],
    ['alias', alias],
    ['alias without a provider or an end', { ...alias, target_provider: null, valid_to: null }],
  ])('%s', (_situation, opened) => {
    const body = toRuleBody(opened.kind, toRuleValues(opened))
    const members = Object.fromEntries(
      Object.keys(body).map((name) => [name, opened[name as keyof PriceRule]]),
    )
    expect(body).toEqual(members)
    expect(priceRuleInput.safeParse(body).success).toBe(true)
  })
})

describe('a form', () => {
  const required = { input_usd_per_mtok: '1', output_usd_per_mtok: '2' }
  const toBody = (values: Partial<RuleValues>, kind: PriceRule['kind'] = 'price') =>
    toRuleBody(kind, { ...toRuleValues({ model: 'acme-large' }), ...values })

  test.each([
    ['2.50', 2.5],
    ['0', 0],
    ['.075', 0.075],
    ['0,075', 0.075],
    ['$3', 3],
    ['3.', 3],
  ])('accepts %s as a price', (text, expected) => {
    const body = toBody({ ...required, input_usd_per_mtok: text })
    expect(body.input_usd_per_mtok).toBe(expected)
  })

  const long = toRuleValues({}).long_context
  test.each<[string, Partial<RuleValues>, string]>([
    ['no model', { ...required, model: ' ' }, 'model'],
    ['no output price', { input_usd_per_mtok: '1' }, 'output_usd_per_mtok'],
    ['a word for a price', { ...required, input_usd_per_mtok: 'free' }, 'input_usd_per_mtok'],
    ['a negative price', { ...required, request_usd: '-1' }, 'request_usd'],
    ['two decimal points', { ...required, request_usd: '1.0.0' }, 'request_usd'],
    [
      'long-context prices without a threshold',
      { ...required, long_context: { ...long, ...required } },
      'long_context.above_tokens',
    ],
  ])('with %s is refused at that field', (_situation, values, field) => {
    expect(Object.keys(bodyErrors(createProjectPrice, toBody(values)))).toEqual([field])
  })

  test.each([
    ['an empty price', '', 'Required'],
    ['a negative price', '-3', 'Must be 0 or more'],
    ['a word', 'free', 'Must be a number'],
    ['a huge price', '1000001', 'Must be at most 1,000,000'],
  ])('with %s explains what is wrong', (_situation, text, message) => {
    const body = toBody({ ...required, output_usd_per_mtok: text })
    expect(bodyErrors(createProjectPrice, body)).toEqual({ output_usd_per_mtok: message })
  })

  test('of an alias requires its target, and ignores what was typed for a price', () => {
    expect(bodyErrors(createProjectPrice, toBody({}, 'alias'))).toHaveProperty('target_model')
    const body = toBody({ ...required, request_usd: 'x', target_model: 'gpt-4o' }, 'alias')
    expect(body).not.toHaveProperty('input_usd_per_mtok')
    expect(priceRuleInput.safeParse(body).success).toBe(true)
  })
})
