import { evaluateTrace, listEvaluationRuns } from '@assay/contract/evaluations.ts'
import type { Evaluator } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import { parseInstant } from '../../domain/instant.ts'
import type { TraceVerdict } from '../../evaluators/evaluate-trace.ts'
import type { Bind, CallReadOptions } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import type { EvaluationRunner } from './evaluation-runner.ts'
import type { SerializedTrace } from './evaluation-thread.ts'
import { listAllCollections } from './evaluators.ts'
import { readSiblings, readWholeTrace } from './read-trace.ts'
import { toRun, toScore } from './results.ts'

export interface EvaluatePorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly evaluationRunner: EvaluationRunner
  readonly clock: Clock
}

const traceNotFound = () => new Failure('NOT_FOUND', 'Trace not found.')
// Specification, "Input failures that surface as 500 INTERNAL_ERROR".
const unexpected = () => new Failure('INTERNAL_ERROR', 'An unexpected error occurred.')

export function registerEvaluate(ports: EvaluatePorts): void {
  const { bind, accounts, telemetry, clock } = ports

  bind(listEvaluationRuns, async ({ caller: { projectId }, params: { traceId }, readOptions }) => {
    if ((await telemetry.findTrace(projectId, traceId, readOptions)) === undefined)
      throw traceNotFound()
    const limit = limits.evaluationRuns.value
    const runs = await telemetry.listScoreRuns(projectId, traceId, limit, readOptions)
    return runs.map(({ runId, scores }) => toRun(runId, scores))
  })

  bind(evaluateTrace, async ({ caller, params: { traceId }, body, readOptions }) => {
    const { organizationId, projectId, user } = caller
    const collections = await listAllCollections(organizationId, accounts)
    const collection = collections.find(({ id }) => id === body.collection_id)
    if (collection === undefined) throw new Failure('NOT_FOUND', 'Collection not found.')
    const { evaluators } = collection
    if (evaluators.some((one) => one.eval_type === 'model_judge')) throw unexpected()
    const read = await readWholeTrace(telemetry, projectId, traceId, readOptions)
    if (read === undefined) throw traceNotFound()
    const verdicts = await runEvaluators(projectId, read, evaluators, readOptions, ports)
    const at = parseInstant(clock.now().toISOString())
    const facts = { runId: newId(), traceId, authorId: user.id, at }
    const scores = evaluators.map((one, index) => toScore(one, verdicts[index]!, facts))
    const { missingTraceIds } = await telemetry.recordScores(projectId, scores)
    if (missingTraceIds.length > 0) throw traceNotFound()
    return toRun(facts.runId, scores)
  })
}

/** One verdict for each evaluator, in their order. */
async function runEvaluators(
  projectId: string,
  read: SerializedTrace | 'too large',
  evaluators: readonly Evaluator[],
  options: CallReadOptions,
  { telemetry, evaluationRunner }: EvaluatePorts,
): Promise<readonly TraceVerdict[]> {
  const keys = evaluators.map(({ key }) => key ?? '')
  if (read === 'too large') return keys.map(tooLarge)
  const needsSiblings = keys.includes('bias.counterfactual-gap')
  const siblings = needsSiblings
    ? await readSiblings(telemetry, projectId, read.trace, options)
    : []
  const { requester, signal } = options
  return await evaluationRunner.run(requester, signal, { ...read, keys, siblings })
}

function tooLarge(key: string): TraceVerdict {
  const most = limits.evaluatedBytes.value / 1024 / 1024
  const reasoning = `the trace is larger than ${most} MB.`
  return { key, verdict: { status: 'error', reasoning }, latencyMs: 0 }
}
