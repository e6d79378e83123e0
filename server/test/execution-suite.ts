import type { ExecutionRequest } from '@assay/contract/run-execution.ts'
import { executeRun, streamExecution } from '@assay/contract/run-execution.ts'
import { beforeEach } from 'vitest'
import {
  type ExecuteRunPorts,
  executeRun as runExecution,
} from '../src/features/cost-runs/execute-run.ts'
import {
  type PrepareExecutionPorts,
  prepareExecution,
} from '../src/features/cost-runs/prepare-execution.ts'
import type { CostRunRow } from '../src/storage/accounts/cost-run-tables.ts'
import { addStoredRun } from './cost-run-rows.ts'
import { openExecutionPorts } from './execution-ports.ts'
import { addModelConfig, requestsPerTest, runningModel } from './scripted-model-suite.ts'
import { runningService, signedInPerTest, tenantPerTest } from './service-suite.ts'

/*
 * What suites of executions of cost runs share.
 */

/** Of the usual usage of the model that `addModel` adds, in nanodollars. */
export const callNanos = 260_000

const prices = { input_usd_per_mtok: 2, cache_read_usd_per_mtok: 1, output_usd_per_mtok: 10 }

/** Registers the hooks of the surrounding file. Each test has a tenant of its own, with people and a model. */
export function executionSuite() {
  const scripted = runningModel()
  const requests = requestsPerTest(scripted)
  beforeEach(() => scripted.always({ answer: 'It is on its way.' }))
  const service = runningService()
  const tenant = tenantPerTest(service)
  const editor = signedInPerTest(service, () => tenant.members.Editor)
  const owner = signedInPerTest(service, () => tenant.members.Owner)

  const addModel = (changes: object = {}) => {
    const target = { orgId: tenant.organizationId, as: owner }
    return addModelConfig(service, scripted, target, { model: 'agent-1', ...prices, ...changes })
  }
  const addRun = (count = 3, more: Partial<CostRunRow> = {}, scenarioId?: string) =>
    addStoredRun(
      service.accounts,
      tenant.projectId,
      count,
      { notices: '["A."]', ...more },
      scenarioId,
    )
  const execute = (runId: string, body: object, as = editor) =>
    service.call(executeRun, { params: { projectId: tenant.projectId, runId }, body }, as)
  const stream = (runId: string, body: object, as = editor) =>
    service.call(streamExecution, { params: { projectId: tenant.projectId, runId }, body }, as)
  /** How the run ended. */
  const readEnd = async (runId: string) => {
    const run = await service.accounts.costRuns.findHead(tenant.projectId, runId)
    return [run?.status, run?.stopped_by]
  }
  const readStatus = async (runId: string) => (await readEnd(runId))[0]
  const openPorts = () => openExecutionPorts(service)

  /** Without a request. */
  async function startExecution(
    ports: ExecuteRunPorts & PrepareExecutionPorts,
    more: Partial<ExecutionRequest> = {},
    { signal }: Pick<AbortController, 'signal'> = new AbortController(),
  ) {
    const { runId } = await addRun(3)
    const { organizationId, projectId } = tenant
    const target = { organizationId, projectId, runId }
    const body = { model_config_ids: [await addModel()], concurrency: 1, ...more }
    const prepared = await prepareExecution(target, body, ports)
    const requester = [organizationId, 'a'] as const
    const request = { target, body, userId: tenant.members.Owner.id, requester, signal }
    return { runId, body, events: runExecution(request, prepared, ports) }
  }

  return {
    ...{ scripted, ...requests, service, tenant, editor, owner, addModel, addRun },
    ...{ execute, stream, readEnd, readStatus, openPorts, startExecution },
  }
}
