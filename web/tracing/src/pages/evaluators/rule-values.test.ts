import type { EvaluationRule, RuleFilters } from '@assay/contract/evaluation-rules.ts'
import { expect, test } from 'vitest'
import { formatRate, otherFilters, sampleRates, toRuleBody, toRuleValues } from './rule-values.ts'

const chosen = { collection: undefined, needsModel: true, model: undefined, isReady: false }

const ruleOf = (filters: RuleFilters) =>
  ({
    ...{ name: 'Errors', sample_rate: 0.3, max_cost_usd_per_day: 2, filters },
    ...{ collection_id: 'c', model_config_id: null },
  }) as EvaluationRule

test.each<RuleFilters>([
  {},
  { status: 'ERROR', name: 'refund', environment: 'prod', service: 'shop', tag: ['a', 'b'] },
  { tag: ['vip'], mode: 'live', min_tokens: 5 },
])('a rule is saved with the filters that it has, also those without an input: %j', (filters) => {
  const rule = ruleOf(filters)
  const body = toRuleBody(toRuleValues(rule), chosen, otherFilters(rule))
  expect(body).toMatchObject({ name: 'Errors', sample_rate: 0.3, max_cost_usd_per_day: 2 })
  expect(body.filters).toEqual(filters)
})

test('empty inputs are no filters, and tags are separated by commas', () => {
  const values = { ...toRuleValues(null), environment: ' ', tags: ' a,, b ' }
  expect(toRuleBody(values, chosen, {}).filters).toEqual({ tag: ['a', 'b'] })
})

test('the share of a rule is among those to choose from', () => {
  expect(sampleRates('0.3').map(({ label }) => label)).toContain('30% of traces')
  expect(sampleRates('1')).toHaveLength(6)
  expect(formatRate(1)).toBe('All traces')
})
