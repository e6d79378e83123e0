import { explainScoreGap } from '@assay/contract/explanations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../../test/scripted-model.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'

const provider: { model?: ScriptedModel } = {}
beforeAll(async () => {
  provider.model = await startScriptedModel()
})
afterAll(() => provider.model?.close())

const a = {
  ...{ label: 'small', score: 0.4, passed: false, reasoning: 'It skipped the refund.' },
  criteria: [{ id: 'refund', question: 'Is the refund named?', verdict: 'no' }],
  issues: ['The refund is missing.'],
}
const b = {
  ...{ label: 'large', score: 0.9, passed: true },
  criteria: [{ id: 'refund', question: 'Is the refund named?', verdict: 'yes' }],
}
const gap = { evaluator_name: 'Complete', model_a: a, model_b: b }

describe('without a platform model, an explanation', () => {
  const service = runningService()
  const tenant = tenantPerTest(service)
  const editor = signedInPerTest(service, () => tenant.members.Editor)
  const viewer = signedInPerTest(service, () => tenant.members.Viewer)
  const explain = (body: object, as = editor) =>
    service.call(explainScoreGap, { params: { projectId: tenant.projectId }, body }, as)

  test('names the scores and the criterion that differs', async () => {
    expect((await explain(gap)).data).toEqual({
      explanation:
        'large has 0.9 and small has 0.4 on Complete, a difference of 0.5; only large passed. small does not meet "Is the refund named?".',
      source: 'heuristic',
    })
  })

  test('names the first issue that only the worse one has', async () => {
    const { explanation } = (await explain({ ...gap, model_b: { ...b, criteria: [] } })).data
    expect(explanation).toMatch(/Noted about small: The refund is missing\.$/)
  })

  test('of equal scores reports that they are equal', async () => {
    const { explanation } = (await explain({ ...gap, model_b: { ...a, label: 'other' } })).data
    expect(explanation).toBe('small and other have the same score on Complete: 0.4.')
  })

  test('is refused to a Viewer', async () => {
    expect((await explain(gap, viewer)).error.code).toBe('FORBIDDEN')
  })

  test('of an invalid body has at most five raw issues', async () => {
    const { status, error } = await explain({ model_a: { score: 'high' }, model_b: {} })
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const { issues } = error.details as { issues: { code: string; path: string[] }[] }
    expect(issues).toHaveLength(5)
    expect(issues[0]).toMatchObject({ code: 'invalid_type', path: ['evaluator_name'] })
  })
})

describe('with a platform model, an explanation', () => {
  const service = runningService(() => ({
    platformModel: {
      ...{ provider: 'openai-compatible', model: 'house', apiKey: null, allowanceUsd: 1 },
      baseUrl: provider.model!.url,
    },
  }))
  const tenant = tenantPerTest(service)
  const editor = signedInPerTest(service, () => tenant.members.Editor)
  const explain = async () =>
    (
      await service.call(
        explainScoreGap,
        { params: { projectId: tenant.projectId }, body: gap },
        editor,
      )
    ).data

  test('is that of the model, which reads the notes as data', async () => {
    provider.model?.always({ answer: { explanation: 'small says "It skipped the refund."' } })
    expect(await explain()).toEqual({
      explanation: 'small says "It skipped the refund."',
      source: 'model',
    })
    const call = provider.model?.requests.at(-1)
    expect(call?.texts.join('')).toContain('The refund is missing.')
    expect(call?.system).not.toContain('refund')
  })

  test.each([
    ['quotes what is not in the notes', { answer: { explanation: 'small said "I cannot help".' } }],
    ['is too long', { answer: { explanation: 'x'.repeat(601) } }],
    ['is no object', { prose: 'Because.' }],
    ['is refused', { refusal: 'No.' }],
    ['fails', { status: 401 }],
  ] as const)('is by rules when that of the model %s', async (_how, step) => {
    provider.model?.always(step)
    expect((await explain()).source).toBe('heuristic')
  })
})
