import { bodyErrors } from '@assay/account/form/schema-errors.ts'
import { defaultEstimateModels, estimateCost } from '@assay/contract/cost-calculator.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyDraft } from '../../api/agent-drafts.ts'
import { amountError, readAmount, toEstimateBody } from './estimate-settings.ts'

const draft = { agent: { ...emptyDraft.agent, system_prompt: 'You answer.' } }
const recorded = { runs: 10, turns_p50: 7, turns_p90: 11, turns_mean: 7.5, llm_calls_p50: 11 }

describe('the request for an estimate', () => {
  test('is valid whatever the URL has', () => {
    const search = fc.record(
      {
        ...{ scenarios: fc.string(), turns: fc.string(), calls: fc.string(), month: fc.string() },
        multi: fc.constant('1' as const),
        uncached: fc.constant('1' as const),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(search, (one) => {
        expect(bodyErrors(estimateCost, toEstimateBody(draft, one, []))).toEqual({})
      }),
    )
  })

  test('has the default models, and 1,000 runs a month', () => {
    const body = toEstimateBody(draft, {}, [])
    expect(body.models).toEqual(defaultEstimateModels)
    expect(body.volumes).toEqual({ runs_per_month: 1000, runs_per_month_origin: 'prior' })
  })

  test('has each model once, without empty names', () => {
    const { models } = toEstimateBody(draft, { models: ' gpt-4o,, a/b \ngpt-4o,' }, [])
    expect(models).toEqual(['gpt-4o', 'a/b'])
  })

  test('has at most 20 models of the organization', () => {
    const ids = Array.from({ length: 25 }, (_, at) => String(at))
    expect(toEstimateBody(draft, { own: '1' }, ids).model_config_ids).toEqual(ids.slice(0, 20))
  })

  test('has recorded volumes, and the recorded runs per month unless others are entered', () => {
    const imported = { ...recorded, runs_per_month: 20 }
    const volumesOf = (search: object) => toEstimateBody({ ...draft, imported }, search, []).volumes
    expect(volumesOf({})).toEqual(imported)
    const entered = { runs_per_month: 5, runs_per_month_origin: 'user' }
    expect(volumesOf({ month: '5' })).toEqual({ ...imported, ...entered })
  })

  test('tries entered calls and messages in place of the recorded ones, which stay', () => {
    const month = { runs_per_month: 1000, runs_per_month_origin: 'prior' }
    const search = { turns: '3', calls: '8' }
    const { volumes } = toEstimateBody({ ...draft, imported: recorded }, search, [])
    expect(volumes).toEqual({ ...recorded, ...month, assumed: { turns: 3, llm_calls: 8 } })
    const entered = toEstimateBody(draft, search, []).volumes
    expect(entered).toEqual({ turns_mean: 3, llm_calls_mean: 8, ...month })
  })
})

describe('an amount', () => {
  test.each([
    ['scenarios', '1000', undefined],
    ['scenarios', '1001', 'Must be at most 1,000'],
    ['scenarios', '0', 'Must be at least 1'],
    ['scenarios', '2.5', 'Must be a whole number'],
    ['calls', '2,5', undefined],
    ['calls', '-1', 'Must be at least 0'],
    ['calls', 'many', 'Must be a number'],
    ['month', '', undefined],
  ] as const)('%s of "%s" has the error %s', (name, text, error) => {
    expect(amountError(name, text)).toBe(error)
  })

  test('with an error is as if it was not entered', () => {
    expect(readAmount('calls', '-1')).toBeUndefined()
    expect(readAmount('calls', '2,5')).toBe(2.5)
  })
})
