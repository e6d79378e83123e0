import type { Evaluator } from '@assay/contract/evaluators.ts'
import { type JudgeAnswer, judgeAnswer } from '../../../evaluators/judge/judge-answer.ts'
import type { AskJudge, JudgeReply } from '../../../evaluators/judge/run-judge.ts'
import type { ModelGateway } from '../../../model-gateway/gateway.ts'
import type { GatewayModel } from '../../../model-gateway/gateway-model.ts'
import {
  type CallReport,
  type ModelAnswer,
  ModelCallError,
  type ModelMessage,
} from '../../../model-gateway/model-call.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Requester } from '../../../platform/requester.ts'
import type { ServiceTraces } from '../../../service-traces/service-traces.ts'
import type { TelemetryStore } from '../../../storage/telemetry/port/store.ts'
import type { JudgeBudget } from './judge-budget.ts'
import { judgeCallLabels, judgeSpan } from './judge-span.ts'

/*
 * Calls a model of the organization for a judge. Each call is recorded as a trace.
 */

export interface ModelJudgePorts {
  readonly models: ModelGateway
  readonly telemetry: TelemetryStore
  readonly serviceTraces: Pick<ServiceTraces, 'record'>
  readonly clock: Clock
}

export interface JudgeRun {
  readonly organizationId: string
  readonly projectId: string
  readonly runId: string
  readonly traceId: string
  readonly model: GatewayModel
  readonly budget: JudgeBudget
  readonly requester: Requester
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly deadline: number
}

/** Of all calls of one judge. */
export interface JudgeUsage {
  readonly tokensIn: number | null
  readonly tokensOut: number | null
  readonly costUsd: number | null
}

export interface ModelJudge {
  readonly ask: AskJudge
  usage(): JudgeUsage
}

const outputTokensMax = 4096

export function openModelJudge(
  evaluator: Evaluator,
  run: JudgeRun,
  ports: ModelJudgePorts,
): ModelJudge {
  const reports: CallReport[] = []

  const call = async (system: string, messages: readonly ModelMessage[], isRepair: boolean) => {
    const { report, reply, problem } = await callModel(system, messages, isRepair, run, ports)
    reports.push(report)
    const isTimeout = 'failure' in reply && reply.failure.kind === 'timeout'
    const tokens = countTokens(report, messages, isTimeout)
    run.budget.add(report.attempts === 0 ? 0 : report.costUsd, tokens)
    const { runId, model } = run
    const facts = { evaluatorName: evaluator.name, evaluatedTraceId: run.traceId, runId, problem }
    const span = judgeSpan({
      ...{ ...facts, model: model.model, provider: model.provider, system, messages, report },
      endedAt: ports.clock.now(),
    })
    if (report.attempts > 0) await recordCall(span, run, ports)
    return reply
  }
  return {
    async ask({ system, data }, repair) {
      if (run.budget.isUsedUp()) {
        const message = `the judges of this run have used up their ${run.budget.limitText}.`
        return { failure: { kind: 'budget', message }, text: null }
      }
      return await call(system, judgeMessages(data, repair), repair !== undefined)
    },
    usage: () => ({
      tokensIn: sum(reports.map(({ usage }) => usage.tokensIn)),
      tokensOut: sum(reports.map(({ usage }) => usage.tokensOut)),
      costUsd: sum(reports.map(({ costUsd }) => costUsd)),
    }),
  }
}

export function judgeMessages(data: string, repair: Parameters<AskJudge>[1]): ModelMessage[] {
  const messages: ModelMessage[] = [{ role: 'user', content: data }]
  if (repair === undefined) return messages
  if (repair.unusable !== '') messages.push({ role: 'assistant', content: repair.unusable })
  return [...messages, { role: 'user', content: repair.request }]
}

interface Called {
  readonly report: CallReport
  readonly reply: JudgeReply
  readonly problem: string | undefined
}

export async function callModel(
  system: string,
  messages: readonly ModelMessage[],
  isRepair: boolean,
  { model, signal, deadline }: Pick<JudgeRun, 'model' | 'signal' | 'deadline'>,
  { models }: { readonly models: ModelGateway },
): Promise<Called> {
  // An answer that was cut off at the limit needs more the second time.
  const maxOutputTokens = isRepair ? 2 * outputTokensMax : outputTokensMax
  const schema = judgeAnswer
  try {
    const report: ModelAnswer<JudgeAnswer> = await models.generate(model, {
      ...{ system, messages, maxOutputTokens, schema, signal, deadline },
    })
    const reply = { answer: report.value, text: report.text ?? '' }
    return { report, reply, problem: undefined }
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error
    const { kind, message, report } = error
    return { report, reply: { failure: { kind, message }, text: report.text }, problem: message }
  }
}

/** Estimated if the provider answered without reporting them, or has not answered in time: it bills both. */
export function countTokens(
  { usage, text }: Pick<CallReport, 'usage' | 'text'>,
  messages: readonly ModelMessage[],
  isTimeout: boolean,
): number {
  const { tokensIn, tokensOut } = usage
  const isEstimated = tokensIn === null && tokensOut === null && (text !== null || isTimeout)
  if (!isEstimated) return (tokensIn ?? 0) + (tokensOut ?? 0)
  const sent = messages.reduce((sum, { content }) => sum + content.length, 0)
  return Math.ceil((sent + (text?.length ?? 0)) / 3)
}

/** A judgement does not fail because its trace cannot be stored. */
async function recordCall(
  span: ReturnType<typeof judgeSpan>,
  { organizationId, projectId, requester }: JudgeRun,
  { telemetry, serviceTraces }: ModelJudgePorts,
): Promise<void> {
  await serviceTraces.record({
    subject: 'the call of a judge',
    ...{ organizationId, projectId, requester, labels: judgeCallLabels },
    spans: telemetry.encode([span]),
  })
}

/** Null when none is known. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0)
}
