import { evaluateTraces } from '@assay/contract/bulk-evaluations.ts'
import { recordEvent, userActor } from '../../../accounts/audit.ts'
import type { Bind, Call } from '../../../http/call.ts'
import { newJobRow } from '../../../jobs/job-row.ts'
import type { JobRunner } from '../../../jobs/runner.ts'
import { getConfiguredModel } from '../../../model-gateway/get-configured-model.ts'
import type { Models } from '../../../model-gateway/models.ts'
import type { Clock } from '../../../platform/clock.ts'
import { Failure } from '../../../platform/failure.ts'
import { newId } from '../../../platform/ids.ts'
import type { Accounts } from '../../../storage/accounts/connect.ts'
import type { TelemetryStore } from '../../../storage/telemetry/port/store.ts'
import { findCollection, findPricedModel } from '../evaluation-target.ts'
import {
  type BulkEvaluationInput,
  bulkEvaluationKind,
  emptyBulkEvaluationProgress,
} from './bulk-evaluation-progress.ts'
import { listEvaluatedTraces } from './bulk-evaluation-traces.ts'

export interface BulkEvaluationPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: Pick<TelemetryStore, 'listTraces'>
  readonly models: Pick<Models, 'findConfigured'>
  readonly runner: Pick<JobRunner, 'wake'>
  readonly clock: Clock
}

export function registerBulkEvaluation(ports: BulkEvaluationPorts): void {
  const { bind, runner } = ports

  bind(evaluateTraces, async (call) => {
    const id = await start(call, ports)
    runner.wake()
    return { id }
  })
}

type StartCall = Call<typeof evaluateTraces>

async function start(call: StartCall, ports: BulkEvaluationPorts): Promise<string> {
  const { caller, client, body } = call
  const { accounts, clock, models } = ports
  const { projectId, organizationId, user } = caller
  const input: BulkEvaluationInput = {
    ...{ runId: newId(), collectionId: body.collection_id, filters: body.filters },
    modelConfigId: body.model_config_id ?? null,
    ...{ maxTraces: body.max_traces, maxCostUsd: body.max_cost_usd },
  }
  const { evaluators } = await findCollection(organizationId, input.collectionId, accounts)
  if (input.modelConfigId !== null) {
    await getConfiguredModel(organizationId, input.modelConfigId, models)
  }
  await findPricedModel(organizationId, evaluators, input.modelConfigId, models)
  const total = await countTraces(call, ports)
  if (total === 0) {
    throw new Failure(
      'VALIDATION_ERROR',
      'filters match no traces that could be evaluated. Send traces, or change the filters.',
    )
  }
  const now = clock.now().toISOString()
  const row = newJobRow(
    bulkEvaluationKind,
    {
      ...{ organizationId, projectId, createdBy: user.id, input },
      uniqueKey: `${bulkEvaluationKind.kind} ${projectId}`,
      progress: emptyBulkEvaluationProgress(total),
    },
    now,
  )
  const { collection_id, max_traces, max_cost_usd } = body
  const model_config_id = input.modelConfigId
  const details = { collection_id, model_config_id, max_traces, max_cost_usd }
  await accounts.transaction(async (stores) => {
    if (!(await stores.jobs.insert(row))) {
      throw new Failure('CONFLICT', 'Traces of this project are already being evaluated.')
    }
    await recordEvent(
      { action: 'traces.evaluated', organizationId, targetId: projectId, details },
      userActor(user, client),
      now,
      stores,
    )
  })
  return row.id
}

const countedMax = 2000

/** Null if there may be more than are counted. */
async function countTraces(
  { caller: { projectId }, body, readOptions }: StartCall,
  { telemetry }: BulkEvaluationPorts,
): Promise<number | null> {
  const { filters, max_traces: most } = body
  const query = { filters, limit: Math.min(most, countedMax) }
  const { traceIds, next } = await listEvaluatedTraces(telemetry, projectId, query, readOptions)
  return next === undefined || traceIds.length === most ? traceIds.length : null
}
