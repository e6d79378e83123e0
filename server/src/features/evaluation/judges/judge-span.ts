import { judgeCallTag } from '@assay/contract/bulk-evaluations.ts'
import { type Instant, parseInstant } from '../../../domain/instant.ts'
import { emptyArray, emptyObject, toJsonText, toStorableJson } from '../../../domain/json-text.ts'
import {
  noPrice,
  noPricingFacts,
  noUsage,
  type Span,
  type Trace,
  type TraceLabels,
} from '../../../domain/span.ts'
import type { CallReport, ModelMessage } from '../../../model-gateway/model-call.ts'
import { newSecret } from '../../../platform/ids.ts'

/*
 * The span of one call of a judge: a trace of its own in the project of the trace that it judges.
 */

export const judgeCallLabels: TraceLabels = {
  ...{ rootName: null, environment: null, sessionId: null, userId: null },
  ...{ mode: 'simulation', tags: [judgeCallTag] },
}

export function isJudgeCall({ mode, tags }: Trace): boolean {
  return mode === judgeCallLabels.mode && tags.includes(judgeCallTag)
}

export interface JudgeCallFacts {
  readonly evaluatorName: string
  readonly evaluatedTraceId: string
  readonly runId: string
  readonly model: string
  readonly provider: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly report: CallReport
  /** Undefined: it succeeded. */
  readonly problem: string | undefined
  readonly endedAt: Date
}

export function judgeSpan(facts: JudgeCallFacts): Span {
  const { report, system, messages, problem, model, provider } = facts
  const sent = [{ role: 'system', content: system }, ...messages]
  const answered = report.text === null ? [] : [{ role: 'assistant', content: report.text }]
  const attributes = {
    'assay.evaluation.run_id': facts.runId,
    'assay.evaluation.trace_id': facts.evaluatedTraceId,
    'assay.evaluation.evaluator': facts.evaluatorName,
  }
  const json = (value: unknown) => toStorableJson(toJsonText(value))
  return {
    ...noPrice,
    ...noPricingFacts,
    ...noUsage,
    ...report.usage,
    ...{ traceId: newSecret(16), spanId: newSecret(8), parentSpanId: null },
    ...{ name: `judge ${facts.evaluatorName}`, kind: 'llm', model, provider },
    ...{ status: problem === undefined ? 'OK' : 'ERROR', statusMessage: problem ?? null },
    ...times(facts),
    ...{ costUsd: report.costUsd, costSource: report.costUsd === null ? 'unknown' : 'reported' },
    ...{ sessionId: null, userId: null, environment: null, service: 'evaluation', sdk: null },
    ...{
      responseId: null,
      repeatsSpanId: null,
      isSeparateCall: false,
      tags: null,
      traceName: null,
    },
    body: {
      input: json({ messages: sent }),
      output: json({ messages: answered }),
      attributes: json(attributes),
      ...{ events: emptyArray, links: emptyArray, resource: emptyObject, scope: emptyObject },
    },
  }
}

function times({ endedAt, report }: JudgeCallFacts) {
  const latencyMs = Math.round(report.latencyMs)
  const at = (ms: number): Instant => parseInstant(new Date(ms).toISOString())
  const endMs = endedAt.getTime()
  return { latencyMs, startedAt: at(endMs - latencyMs), endedAt: at(endMs) }
}
