import { evaluateTrace, listEvaluationRuns, tryEvaluator } from '@assay/contract/evaluations.ts'
import type { Evaluator } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import type { Bind } from '../../http/call.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import type { Models } from '../../model-gateway/models.ts'
import { Failure } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { type EvaluatePorts, evaluate } from './evaluate.ts'
import { loadCollections, requireEvaluators } from './evaluators/evaluators.ts'
import { needsModel } from './judges/judge-model.ts'
import { toRun } from './results.ts'
import { runTrial } from './try-evaluator.ts'

export interface EvaluateRoutePorts extends EvaluatePorts {
  readonly bind: Bind
  readonly models: Models
  readonly accounts: Accounts
}

const traceNotFound = () => new Failure('NOT_FOUND', 'Trace not found.')
// Specification, "Input failures that surface as 500 INTERNAL_ERROR".
const unexpected = () => new Failure('INTERNAL_ERROR', 'An unexpected error occurred.')

export function registerEvaluate(ports: EvaluateRoutePorts): void {
  const { bind, accounts, telemetry } = ports

  bind(listEvaluationRuns, async ({ caller: { projectId }, params: { traceId }, readOptions }) => {
    if ((await telemetry.findTrace(projectId, traceId, readOptions)) === undefined)
      throw traceNotFound()
    const limit = limits.evaluationRuns.value
    const runs = await telemetry.listScoreRuns(projectId, traceId, limit, readOptions)
    return runs.map(({ runId, scores }) => toRun(runId, scores))
  })

  bind(evaluateTrace, async ({ caller, params: { traceId }, body, readOptions }) => {
    const { organizationId, projectId, user } = caller
    const [collection] = await loadCollections(organizationId, [body.collection_id], accounts)
    if (collection === undefined) throw new Failure('NOT_FOUND', 'Collection not found.')
    requireEvaluators(collection)
    const { evaluators } = collection
    const { requester, signal } = readOptions
    const configId = body.model_config_id ?? undefined
    const model = await findModel(organizationId, evaluators, configId, ports.models)
    const run = await evaluate(
      {
        ...{ organizationId, projectId, traceId, evaluators, model, requester, signal },
        authorId: user.id,
      },
      ports,
    )
    if (run === undefined) throw traceNotFound()
    return run
  })

  bind(tryEvaluator, async (call) => {
    const trial = await runTrial(call, ports)
    if (trial === undefined) throw traceNotFound()
    return trial
  })
}

/** Undefined if no evaluator needs one. */
async function findModel(
  organizationId: string,
  evaluators: readonly Evaluator[],
  configId: string | undefined,
  models: Models,
): Promise<GatewayModel | undefined> {
  if (!needsModel(evaluators)) return undefined
  const model =
    configId === undefined ? undefined : await models.findConfigured(organizationId, configId)
  if (model === undefined) throw unexpected()
  return model
}
