import { score as scoreShape } from '@assay/contract/scores.ts'
import { expect, test } from 'vitest'
import { toScoreBody, toScoreValues, toVerdictBody } from './score-values.ts'

const id = '146304e6-6f1c-5bb9-a89f-3f1e29f6613f'
const own = scoreShape.parse({
  ...{ id, trace_id: 't', span_id: null, name: 'Polite', source: 'person' },
  ...{ author_id: id, author_name: 'Ana' },
  ...{ evaluator_id: id, run_id: null, status: 'scored', score: 0.3, passed: false },
  ...{ reasoning: 'Rude.', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
})
const target = { evaluatorId: id, name: 'Polite' }

test('an own score is edited as it is stored', () => {
  const values = toScoreValues({ ...target, score: own })
  expect(values).toEqual({ name: 'Polite', verdict: 'fail', score: '0.3', reasoning: 'Rude.' })
  const body = { evaluator_id: id, passed: false, score: 0.3, reasoning: 'Rude.' }
  expect(toScoreBody(values, target)).toEqual(body)
  expect(toScoreValues({ ...target, score: { ...own, score: 0 } }).score).toBe('')
})

test('without a score, a pass is 1 and a fail is 0', () => {
  const values = { ...toScoreValues(target), reasoning: ' Fine. ' }
  const pass = { evaluator_id: id, passed: true, score: 1, reasoning: 'Fine.' }
  expect(toScoreBody(values, target)).toEqual(pass)
  const fail = toScoreBody({ ...values, verdict: 'fail' }, target)
  expect(fail).toEqual({ ...pass, passed: false, score: 0 })
})

test('a score under a name has no evaluator', () => {
  const values = {
    ...toScoreValues({ evaluatorId: null, name: '' }),
    name: 'Helpful',
    score: '0,5',
  }
  const body = { name: 'Helpful', passed: true, score: 0.5, reasoning: '' }
  expect(toScoreBody(values, { evaluatorId: null, name: '' })).toEqual(body)
})

test('the same verdict again changes nothing, and another one keeps the reason', () => {
  const same = { evaluator_id: id, passed: false, score: 0.3, reasoning: 'Rude.' }
  expect(toVerdictBody(false, { ...target, score: own })).toEqual(same)
  const body = { evaluator_id: id, passed: true, score: 1, reasoning: 'Rude.' }
  expect(toVerdictBody(true, { ...target, score: own })).toEqual(body)
})
