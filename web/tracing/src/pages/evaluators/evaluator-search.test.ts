import type { Evaluator } from '@assay/contract/evaluators.ts'
import { expect, test } from 'vitest'
import { type EvaluatorSearch, evaluatorSearch, filterEvaluators } from './evaluator-search.ts'

const evaluator = (name: string, more: Partial<Evaluator>): Evaluator => ({
  ...{ id: name, organization_id: 'o', key: null, name, category: 'quality', description: '' },
  ...{ tags: [], prompt_template: null, eval_type: 'offline_deterministic', threshold: 1 },
  ...{
    reads: ['output'],
    accuracy: null,
    is_default: true,
    created_at: '2026-01-01T00:00:00Z',
    ...more,
  },
})

const evaluators = [
  evaluator('Answer present', { key: 'quality.output-present', tags: ['gate'] }),
  evaluator('Tool calls succeed', { category: 'agent', reads: ['tool calls'] }),
  evaluator('Goal reached', { category: 'agent', eval_type: 'model_judge' }),
  evaluator('Polite', { eval_type: 'model_judge', is_default: false, description: 'Tone of it' }),
]

test.each<[string, EvaluatorSearch, readonly string[]]>([
  ['no filter', {}, evaluators.map(({ name }) => name)],
  ['a category', { category: 'agent' }, ['Tool calls succeed', 'Goal reached']],
  ['no model', { offline: '1' }, ['Answer present', 'Tool calls succeed']],
  ['own ones', { source: 'own' }, ['Polite']],
  ['all filters together', { category: 'agent', offline: '1' }, ['Tool calls succeed']],
  ['words of any part in any order', { q: 'PRESENT quality.' }, ['Answer present']],
  ['what it reads', { q: 'tool calls' }, ['Tool calls succeed']],
  ['the description', { q: 'tone' }, ['Polite']],
  ['a tag', { q: 'gate' }, ['Answer present']],
  ['a word that does not occur', { q: 'present nothing' }, []],
])('evaluators are filtered by %s', (_filter, search, names) => {
  expect(filterEvaluators(evaluators, search).map(({ name }) => name)).toEqual(names)
})

test('invalid filters in the URL are ignored', () => {
  expect(evaluatorSearch.parse({ category: 'taste', offline: 'yes', source: 'own' })).toEqual({
    source: 'own',
  })
})
