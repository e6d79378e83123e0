import { bodyErrors } from '@assay/account/form/schema-errors.ts'
import { evaluateTraces } from '@assay/contract/bulk-evaluations.ts'
import type { EvaluatorCollection } from '@assay/contract/evaluators.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { describe, expect, test } from 'vitest'
import { resolveChoice } from '../../api/evaluation-choices.ts'
import { initialBulkEvaluation, toBulkEvaluationBody } from './bulk-evaluation-values.ts'

const ids = {
  offline: '6add39b6-576e-5f53-80f4-ce815b2908ed',
  judged: '6add39b6-576e-5f53-80f4-ce815b2908ee',
  model: '6add39b6-576e-5f53-80f4-ce815b2908ef',
} as const

function collection(id: string, evalType: string): EvaluatorCollection {
  return { id, evaluators: [{ eval_type: evalType }] } as EvaluatorCollection
}

const choices = {
  collections: [
    collection(ids.offline, 'offline_deterministic'),
    collection(ids.judged, 'model_judge'),
  ],
  models: [{ id: ids.model } as ModelConfig],
  last: { collection_id: '', model_config_id: '' },
  error: null,
}
const nowMs = Date.parse('2026-11-20T12:00:00.000Z')

function bodyOf(changes: Partial<typeof initialBulkEvaluation>, search = {}, given = choices) {
  const values = { ...initialBulkEvaluation, ...changes }
  return toBulkEvaluationBody(values, resolveChoice(given, values), search, nowMs)
}

describe('the request of a form that evaluates many traces', () => {
  test('has the first collection, without a model or a cost limit where nothing has a cost', () => {
    const body = bodyOf({ max_cost_usd: 'none' })
    expect(body).toEqual({
      ...{ collection_id: ids.offline, model_config_id: null, filters: { mode: 'live' } },
      max_traces: 1000,
    })
    expect(bodyErrors(evaluateTraces, body)).toEqual({})
  })

  test('has the first model and the cost limit for a collection with judges', () => {
    const chosen = { collection_id: ids.judged, max_traces: '20', max_cost_usd: '0,5' }
    expect(bodyOf(chosen)).toMatchObject({
      ...{ collection_id: ids.judged, model_config_id: ids.model, max_cost_usd: 0.5 },
      max_traces: 20,
    })
  })

  test('has the filters of the list, with a relative time range fixed when it is sent', () => {
    const search = { range: '1h', status: 'ERROR', tag: ['nightly'], live: 'off' } as const
    expect(bodyOf({}, search).filters).toEqual({
      ...{ mode: 'live', status: 'ERROR', tag: ['nightly'], from: '2026-11-20T11:00:00.000Z' },
    })
  })

  test.each([
    ['max_traces', { max_traces: '' }],
    ['max_traces', { max_traces: 'many' }],
    ['max_traces', { max_traces: '0' }],
    ['max_traces', { max_traces: '1.5' }],
    ['max_cost_usd', { collection_id: ids.judged, max_cost_usd: '' }],
    ['max_cost_usd', { collection_id: ids.judged, max_cost_usd: '0' }],
  ])('is refused at %s: %j', (field, changes) => {
    expect(Object.keys(bodyErrors(evaluateTraces, bodyOf(changes)))).toEqual([field])
  })
})

describe('the choice of an evaluation', () => {
  test('is not ready without a model for the judges', () => {
    const chosen = { collection_id: ids.judged, model_config_id: '' }
    expect(resolveChoice(choices, chosen).isReady).toBe(true)
    expect(resolveChoice({ ...choices, models: [] }, chosen)).toMatchObject({
      ...{ needsModel: true, model: undefined, isReady: false },
    })
  })

  test('is that of the last evaluation in the project, as long as it exists', () => {
    const chosen = { collection_id: '', model_config_id: '' }
    const idOf = (collection_id: string) =>
      resolveChoice({ ...choices, last: { ...chosen, collection_id } }, chosen).collection?.id
    expect([ids.judged, ids.model, ''].map(idOf)).toEqual([ids.judged, ids.offline, ids.offline])
  })

  test('does not fall back to another collection when the chosen one was deleted', () => {
    const gone = { collection_id: ids.model, model_config_id: '' }
    expect(resolveChoice(choices, gone)).toMatchObject({ collection: undefined, isReady: false })
  })
})
