import { bodyErrors } from '@assay/account/form/schema-errors.ts'
import { createEvaluator, type Evaluator } from '@assay/contract/evaluators.ts'
import { expect, test } from 'vitest'
import { toEvaluatorBody, toEvaluatorValues } from './evaluator-values.ts'

const evaluator: Evaluator = {
  ...{ id: 'e', organization_id: 'o', key: null, name: 'Polite', category: 'quality' },
  ...{ description: 'Tone', tags: ['tone', 'support'], prompt_template: 'Is {{output}} polite?' },
  ...{
    eval_type: 'model_judge',
    threshold: 0.5,
    reads: ['output'],
    accuracy: null,
    is_default: false,
  },
  created_at: '2026-01-01T00:00:00Z',
}

test('an evaluator that is edited without a change stays the same', () => {
  const { name, category, description, tags, prompt_template, threshold } = evaluator
  const body = toEvaluatorBody(toEvaluatorValues(evaluator))
  expect(body).toEqual({ name, category, description, tags, prompt_template, threshold })
})

test('tags are trimmed, and each is used once', () => {
  const values = { ...toEvaluatorValues(evaluator), tags: ' a, b ,, a,' }
  expect(toEvaluatorBody(values).tags).toEqual(['a', 'b'])
})

test.each([
  ['threshold', { threshold: 'high' }],
  ['threshold', { threshold: '1.5' }],
  ['threshold', { threshold: '0' }],
  ['prompt_template', { prompt_template: 'Is it polite?' }],
  ['name', { name: ' ' }],
])('a wrong %s is an error of its field', (name, change) => {
  const values = { ...toEvaluatorValues(evaluator), ...change }
  expect(Object.keys(bodyErrors(createEvaluator, toEvaluatorBody(values)))).toEqual([name])
})
