import { listEvaluationRuns } from '@assay/contract/evaluations.ts'
import {
  createEvaluator,
  createEvaluatorCollection,
  listEvaluators,
} from '@assay/contract/evaluators.ts'
import { removeProject } from '@assay/contract/organizations.ts'
import { beforeEach, expect } from 'vitest'
import { addModelConfig, requestsPerTest, runningModel } from './scripted-model-suite.ts'
import { runningService, signedInPerTest, tenantPerTest } from './service-suite.ts'
import type { ServiceOptions } from './started-app.ts'

/*
 * What suites of background evaluations share: a service with a scripted judge, and a hook before results are stored.
 */

/** For the tenant of the test: a job of an earlier test that failed may still run. */
interface StorageHooks {
  before: (() => Promise<unknown>) | undefined
}

type EvaluationSuite = ReturnType<typeof openSuite>

/** Registers hooks of the surrounding file or `describe`. */
export function evaluationSuite(options: ServiceOptions = {}) {
  const suite = openSuite(options)
  return { ...suite, ...openCalls(suite) }
}

const answer = {
  criteria: [{ id: 'overall', evidence: [{ span_id: 'a', quote: 'In Oslo' }], verdict: 'yes' }],
  issues: [],
  reasoning: 'I read it.',
}

function openSuite(options: ServiceOptions) {
  const storage: StorageHooks = { before: undefined }
  const service = runningService({
    ...options,
    wrapTelemetry(store) {
      const telemetry = options.wrapTelemetry?.(store) ?? store
      return {
        ...telemetry,
        async recordScores(projectId, scores) {
          if (projectId === tenant.projectId) await storage.before?.()
          return await telemetry.recordScores(projectId, scores)
        },
      }
    },
  })
  const tenant = tenantPerTest(service)
  const owner = signedInPerTest(service, () => tenant.members.Owner)
  const editor = signedInPerTest(service, () => tenant.members.Editor)
  const viewer = signedInPerTest(service, () => tenant.members.Viewer)
  const model = runningModel()
  const { sent, received } = requestsPerTest(model)
  beforeEach(() => {
    model.always({ answer })
    storage.before = undefined
  })
  return { service, tenant, owner, editor, viewer, model, sent, received, storage, verdict: answer }
}

function openCalls({ service, tenant, owner, viewer, model }: EvaluationSuite) {
  const inProject = () => ({ projectId: tenant.projectId })
  const inOrganization = () => ({ orgId: tenant.organizationId })
  const addCollection = async (evaluator_ids: readonly string[]): Promise<string> => {
    const args = { params: inOrganization(), body: { name: 'Own', evaluator_ids } }
    return (await service.call(createEvaluatorCollection, args, owner)).data.id
  }
  return {
    inProject,
    inOrganization,
    addCollection,
    /** A collection of one evaluator that needs no model: whether there is an answer. */
    async addOfflineCollection(): Promise<string> {
      const { data } = await service.call(listEvaluators, { params: inOrganization() }, owner)
      const { id } = data.find(({ key }) => key === 'quality.output-present')!
      return await addCollection([id])
    },
    async addJudge(name = 'Polite'): Promise<string> {
      const body = { name, category: 'quality', prompt_template: 'Is {{output}} polite?' }
      return (await service.call(createEvaluator, { params: inOrganization(), body }, owner)).data
        .id
    },
    addModel: (changes: object = {}) =>
      addModelConfig(service, model, { ...inOrganization(), as: owner }, changes),
    async addModelElsewhere(): Promise<string> {
      const { organizationId: orgId, members } = await service.addTenant()
      const as = await service.signedIn(members.Owner)
      return await addModelConfig(service, model, { orgId, as })
    },
    async runsOf(traceId: string) {
      const params = { ...inProject(), traceId }
      return (await service.call(listEvaluationRuns, { params }, viewer)).data
    },
    async removeOwnProject(): Promise<void> {
      const [row] = await service.query(
        `SELECT slug FROM projects WHERE id = '${tenant.projectId}'`,
      )
      const args = { params: inProject(), body: { confirm: row?.['slug'] } }
      expect((await service.call(removeProject, args, owner)).status).toBe(200)
    },
  }
}

/** Of a model whose cost is not known. */
export const unpriced = { input_usd_per_mtok: null, output_usd_per_mtok: null }
