import type { EvaluationRule, RuleFilters } from '@assay/contract/evaluation-rules.ts'
import { expect, test } from 'vitest'
import {
  formatMatchesPerDay,
  formatRate,
  toRuleBody,
  toRuleValues,
  toSampleRate,
} from './rule-values.ts'

const chosen = { collection: undefined, needsModel: true, model: undefined, isReady: false }

const ruleOf = (filters: RuleFilters) =>
  ({
    ...{ name: 'Errors', sample_rate: 0.3, max_cost_usd_per_day: 2, filters },
    ...{ collection_id: 'c', model_config_id: null },
  }) as EvaluationRule

test.each<RuleFilters>([
  {},
  { status: 'ERROR', name: 'refund', environment: 'prod', service: 'shop', tag: ['a', 'b'] },
  { mode: 'live', model: 'gpt-5', user_id: 'u1', session_id: 's1' },
  { tag: ['vip'], mode: 'simulation', min_tokens: 5 },
])('a rule is saved with the filters that it has, also those without an input: %j', (filters) => {
  const rule = ruleOf(filters)
  const body = toRuleBody(toRuleValues(rule), chosen, rule)
  expect(body).toMatchObject({ name: 'Errors', sample_rate: 0.3, max_cost_usd_per_day: 2 })
  expect(body.filters).toEqual(filters)
})

test('a filter that was emptied is removed from the rule', () => {
  const rule = ruleOf({ mode: 'live', user_id: 'u1', min_tokens: 5 })
  const values = { ...toRuleValues(rule), mode: '', user_id: '' } as const
  expect(toRuleBody(values, chosen, rule).filters).toEqual({ min_tokens: 5 })
})

test('a new rule evaluates live traces', () => {
  expect(toRuleBody(toRuleValues(null), chosen, null).filters).toEqual({ mode: 'live' })
})

test('empty inputs are no filters, and tags are separated by commas', () => {
  const values = { ...toRuleValues(null), mode: '', environment: ' ', tags: ' a,, b ' } as const
  expect(toRuleBody(values, chosen, null).filters).toEqual({ tag: ['a', 'b'] })
})

test.each([
  ['100', 1],
  ['20', 0.2],
  ['0.1', 0.001],
  ['0,5', 0.005],
  ['0.05', Number.NaN],
  ['101', Number.NaN],
  ['', Number.NaN],
  ['all', Number.NaN],
])('the sample "%s" is the share %d', (text, expected) => {
  expect(toSampleRate({ ...toRuleValues(null), sample_rate: text }, null)).toBe(expected)
})

test('a share with more digits than the form shows is saved as it was', () => {
  const rule = { ...ruleOf({}), sample_rate: 0.000012345678 }
  expect(toRuleBody(toRuleValues(rule), chosen, rule).sample_rate).toBe(0.000012345678)
})

test.each([
  ['No recent trace matches.', 0, 7, 1],
  ['1 trace of the last 7 days matches, less than 1 a day.', 1, 7, 1],
  ['8,400 traces of the last 7 days match, about 1,200 a day.', 8400, 7, 1],
  [
    '84 traces of the last 7 days match, about 12 a day. Of these, about 6 a day would be evaluated.',
    84,
    7,
    0.5,
  ],
  [
    '84 traces of the last 7 days match, about 12 a day. Of these, less than 1 a day would be evaluated.',
    84,
    7,
    0.01,
  ],
  ['Of the newest traces, about 12 a day match.', 24, 2, 1],
])('%s', (text, count, days, rate) => {
  expect(formatMatchesPerDay(count, days, rate)).toBe(text)
})

test('a share is shown as a percentage', () => {
  expect([1, 0.3, 0.001].map(formatRate)).toEqual(['All traces', '30% of traces', '0.1% of traces'])
})
