import { expect, test } from 'vitest'
import { correctness } from '../../server/src/evaluators/quality/correctness.ts'
import { openModelGateway } from '../../server/src/model-gateway/gateway.ts'
import { obedientJudge } from '../../server/test/scripted-judges.ts'
import { runningModel, toGatewayModel } from '../../server/test/scripted-model-suite.ts'
import { answeredTrace, type LabeledCase } from './labeled-case.ts'
import { measureJudge, sampleCases } from './measure-judge.ts'

const provider = runningModel()

/** The scripted judge takes answers with Bergen for wrong. */
const cases = Array.from({ length: 10 }, (_, index): LabeledCase => {
  const isFaulty = index % 2 === 0
  const answer = `The parcel ${index} is in ${isFaulty ? 'Bergen' : 'Oslo'}.`
  return { text: answer, isFaulty, trace: answeredTrace('Where is it?', ['In Oslo.'], answer) }
})

const measure = (some: readonly LabeledCase[]) =>
  measureJudge(
    correctness,
    some,
    toGatewayModel(provider, { rates: null }),
    openModelGateway({ retryMs: 1 }),
  )

test('a judge that is right has a precision and a recall of 1', async () => {
  provider.always(obedientJudge)
  expect(await measure(cases)).toMatchObject({
    agreement: { cases: 10, faulty: 5, precision: 1, recall: 1, kappa: 1 },
    failures: [],
  })
})

test('a judge that is right by chance has a kappa of 0', async () => {
  provider.always(obedientJudge)
  const labels = [true, true, false, false]
  const mixed = labels.map((isFaulty, index) => ({ ...cases[index]!, isFaulty }))
  expect((await measure(mixed)).agreement).toMatchObject({ precision: 0.5, recall: 0.5, kappa: 0 })
})

test('cases without a verdict do not count, and are reported', async () => {
  provider.always((call) =>
    call.texts.some((text) => text.includes('Bergen'))
      ? { status: 400, message: 'no' }
      : obedientJudge(call),
  )
  const { agreement, failures } = await measure(cases)
  expect(agreement).toMatchObject({ cases: 5, faulty: 0 })
  expect(failures).toHaveLength(5)
  expect(failures[0]).toMatch(/400/)
})

test('samples are the same each time, and half of them are faulty', () => {
  const sample = sampleCases(cases, 4)
  expect(sampleCases(cases, 4)).toEqual(sample)
  expect(sample.map(({ isFaulty }) => isFaulty)).toEqual([true, true, false, false])
})
