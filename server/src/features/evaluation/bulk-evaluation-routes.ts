import { evaluateTraces, judgeCallTag } from '@assay/contract/bulk-evaluations.ts'
import { limits } from '@assay/contract/limits.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { Bind, Call } from '../../http/call.ts'
import { newJobRow } from '../../jobs/job-row.ts'
import type { JobRunner } from '../../jobs/runner.ts'
import type { Models } from '../../model-gateway/models.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { toTraceFilters } from '../../storage/telemetry/port/trace-filters.ts'
import type { TraceFilters } from '../../storage/telemetry/port/traces.ts'
import {
  type BulkEvaluationInput,
  bulkEvaluationKind,
  emptyBulkEvaluationProgress,
} from './bulk-evaluation-progress.ts'
import { findCollection, findPricedModel } from './bulk-evaluation-target.ts'

export interface BulkEvaluationPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: Pick<TelemetryStore, 'readHistogram'>
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
  await findPricedModel(organizationId, evaluators, input.modelConfigId, models)
  const total = await countMatches(call, ports)
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

/** Null if there are too many to count. */
async function countMatches(call: StartCall, ports: BulkEvaluationPorts): Promise<number | null> {
  const { filters: requested, max_traces: most } = call.body
  const filters = toTraceFilters(requested)
  const tags = filters.tags ?? []
  const all = await count(filters, call, ports)
  // The page of traces leaves them out too.
  const hasJudgeCalls = !tags.includes(judgeCallTag) && filters.mode !== 'live'
  const judgeCalls = hasJudgeCalls
    ? await count({ ...filters, mode: 'simulation', tags: [...tags, judgeCallTag] }, call, ports)
    : 0
  return all === null || judgeCalls === null ? null : Math.min(all - judgeCalls, most)
}

async function count(
  filters: TraceFilters,
  { caller: { projectId }, readOptions }: StartCall,
  { telemetry, clock }: BulkEvaluationPorts,
): Promise<number | null> {
  const now = BigInt(clock.now().getTime()) * 1_000_000n
  if (filters.from !== undefined && filters.from >= (filters.to ?? now)) return 0
  const query = { filters, maxBuckets: 1, scanLimit: limits.histogramTraces.value, now }
  const { buckets, isComplete } = await telemetry.readHistogram(projectId, query, readOptions)
  return isComplete ? buckets.reduce((sum, bucket) => sum + bucket.count, 0) : null
}
