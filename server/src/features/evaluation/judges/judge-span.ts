import { judgeCallTag } from '@assay/contract/bulk-evaluations.ts'
import type { Span, Trace, TraceLabels } from '../../../domain/span.ts'
import { type CallFacts, callSpan } from '../../../model-gateway/call-span.ts'
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

export interface JudgeCallFacts
  extends Omit<CallFacts, 'traceId' | 'name' | 'service' | 'attributes'> {
  readonly evaluatorName: string
  readonly evaluatedTraceId: string
  readonly runId: string
}

export function judgeSpan({
  evaluatorName,
  evaluatedTraceId,
  runId,
  ...call
}: JudgeCallFacts): Span {
  return callSpan({
    ...call,
    ...{ traceId: newSecret(16), name: `judge ${evaluatorName}`, service: 'evaluation' },
    attributes: {
      'assay.evaluation.run_id': runId,
      'assay.evaluation.trace_id': evaluatedTraceId,
      'assay.evaluation.evaluator': evaluatorName,
    },
  })
}
