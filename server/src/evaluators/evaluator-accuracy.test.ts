import { evaluatorAccuracy } from '@assay/contract/evaluators.ts'
import { expect, test } from 'vitest'
import { deterministicEvaluators } from './catalogue.ts'
import measured from './evaluator-accuracy.json' with { type: 'json' }
import { accuracyOf } from './evaluator-accuracy.ts'
import { evaluatorFacts } from './evaluator-facts.ts'

test('every evaluator has measurements or a reason, in the form of the API', () => {
  for (const one of evaluatorFacts) {
    const { measurements, note } = evaluatorAccuracy.parse(accuracyOf(one))
    expect({ key: one.key, isMeasured: measurements.length > 0 }).toEqual({
      key: one.key,
      isMeasured: note === null,
    })
  }
})

test('exactly the evaluators that need no model have figures or a reason of their own', () => {
  expect(Object.keys(measured)).toEqual(deterministicEvaluators.map(({ key }) => key))
})

test('judges are reported as not measured', () => {
  const judges = evaluatorFacts.filter(({ instructions }) => instructions !== null)
  expect(judges.length).toBeGreaterThan(0)
  for (const one of judges) expect(accuracyOf(one).note).toMatch(/depends on the model/)
})
