import { newNonce } from '../../server/src/evaluators/judge/fenced-data.ts'
import type { JudgedEvaluator } from '../../server/src/evaluators/judge/judge.ts'
import { prepareTask } from '../../server/src/evaluators/judge/judge-prompt.ts'
import { type AskJudge, runJudge } from '../../server/src/evaluators/judge/run-judge.ts'
import { isPassing } from '../../server/src/evaluators/verdicts.ts'
import {
  callModel,
  judgeMessages,
} from '../../server/src/features/evaluation/judges/model-judge.ts'
import type { ModelGateway } from '../../server/src/model-gateway/gateway.ts'
import type { GatewayModel } from '../../server/src/model-gateway/gateway-model.ts'
import { seededRandom } from '../../server/test/credential-samples.ts'
import { type Agreement, measureAgreement } from './agreement.ts'
import type { LabeledCase } from './labeled-case.ts'

/*
 * How well a judge agrees with labeled cases, with a real model.
 */

export interface JudgeCard {
  /** Of the cases with a verdict. */
  readonly agreement: Agreement
  /** Cases without a verdict, for example because the model did not answer; the messages. */
  readonly failures: readonly string[]
  readonly calls: number
}

/** As many as an organization may call at once. */
const casesAtOnce = 6

export async function measureJudge(
  evaluator: JudgedEvaluator,
  cases: readonly LabeledCase[],
  model: GatewayModel,
  gateway: ModelGateway,
): Promise<JudgeCard> {
  let calls = 0
  const ask: AskJudge = async ({ system, data }, repair) => {
    const run = { model, signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY }
    const messages = judgeMessages(data, repair)
    calls += 1
    const isRepair = repair !== undefined
    const { reply } = await callModel(system, messages, isRepair, run, { models: gateway })
    return reply
  }
  const verdicts: { readonly isFaulty: boolean; readonly found: boolean | string }[] = []
  for (let at = 0; at < cases.length; at += casesAtOnce) {
    const batch = cases.slice(at, at + casesAtOnce).map(async (one) => ({
      isFaulty: one.isFaulty,
      found: await judgeCase(evaluator, one, ask),
    }))
    verdicts.push(...(await Promise.all(batch)))
  }
  const decided = verdicts.filter(({ found }) => typeof found === 'boolean')
  return {
    agreement: measureAgreement(
      decided.map(({ isFaulty }) => isFaulty),
      decided.map(({ found }) => found === true),
    ),
    failures: verdicts.flatMap(({ found }) => (typeof found === 'string' ? found : [])),
    calls,
  }
}

/** Whether the judge finds a fault; a text is the reason when it cannot decide. */
async function judgeCase(
  evaluator: JudgedEvaluator,
  { trace }: LabeledCase,
  ask: AskJudge,
): Promise<boolean | string> {
  const task = evaluator.prepare(trace)
  const { verdict } =
    'status' in task
      ? { verdict: task }
      : await runJudge(prepareTask(task, newNonce()), evaluator.threshold, ask)
  if (verdict.status === 'error') return verdict.reasoning
  return verdict.status === 'scored' && !isPassing(verdict.score, evaluator.threshold)
}

/** The same sample each time, half of it faulty where there are enough of both. */
export function sampleCases(cases: readonly LabeledCase[], count: number): LabeledCase[] {
  const random = seededRandom(8)
  const shuffled = cases
    .map((one) => ({ one, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ one }) => one)
  const half = Math.ceil(count / 2)
  const faulty = shuffled.filter(({ isFaulty }) => isFaulty).slice(0, half)
  const sound = shuffled.filter(({ isFaulty }) => !isFaulty).slice(0, count - half)
  return [...faulty, ...sound]
}
