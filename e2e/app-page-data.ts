import { setInterval } from 'node:timers/promises'
import { createAlertRule } from '@assay/contract/alerts.ts'
import { evaluateTraces } from '@assay/contract/bulk-evaluations.ts'
import { createComment } from '@assay/contract/comments.ts'
import { createEvaluationRule } from '@assay/contract/evaluation-rules.ts'
import { listEvaluatorCollections } from '@assay/contract/evaluators.ts'
import { readJob } from '@assay/contract/jobs.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { createSampleProject } from '@assay/contract/organizations.ts'
import { createProjectPrice } from '@assay/contract/prices.ts'
import { createReviewQueue } from '@assay/contract/review-queues.ts'
import { generateScenarios } from '@assay/contract/scenarios.ts'
import { listScores, putScore } from '@assay/contract/scores.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { createTracingKey } from '@assay/contract/tracing-keys.ts'
import { callAs, type RunningService, type SetUpService } from './running-service.ts'

/*
 * Something to show for the pages of the tracing app.
 */

/** The values of the parameters in the addresses of pages. */
export type PageParams = Readonly<Record<string, string>>

/** Creates the data that the pages show. */
export async function createPageData(
  service: RunningService,
  setUp: SetUpService,
): Promise<PageParams> {
  const call = callAs(service, setUp)
  const orgId = setUp.organization.id
  const { id: projectId } = await call(createSampleProject, { params: { orgId } })
  const params = { projectId }
  const failed = { service: 'support-desk', status: 'ERROR', limit: 2 } as const
  const [trace, other] = await call(listTraces, { params, query: failed })
  const traceId = trace?.trace_id ?? ''
  await addSettings(call, orgId, projectId)
  const evaluatorId = await addScores(call, orgId, { projectId, traceId })
  await call(createComment, { params: { projectId, traceId }, body: { text: 'Who saw this?' } })
  const agent_config = { system_prompt: 'You answer questions about orders.' }
  const body = { agent_config, scenario_count: 3 }
  const scenarios = await call(generateScenarios, { params, body })
  const instructions = 'Reviewer instructions'
  const queue = await call(createReviewQueue, {
    params,
    body: {
      name: 'Support',
      score_name: 'Helpful',
      instructions,
      filters: { service: 'support-desk' },
    },
  })
  return {
    ...{ orgId, projectId, traceId, evaluatorId, queueId: queue.id },
    otherTraceId: other?.trace_id ?? '',
    sessionId: trace?.session_id ?? '',
    runId: 'run_id' in scenarios ? scenarios.run_id : '',
  }
}

type BoundCall = ReturnType<typeof callAs>

async function addSettings(call: BoundCall, orgId: string, projectId: string): Promise<void> {
  const params = { projectId }
  await call(createModelConfig, {
    params: { orgId },
    body: { label: 'Judge', provider: 'openai', model: 'gpt-5', api_key: 'sk-made-up' },
  })
  await call(createTracingKey, { params, body: { name: 'Support desk' } })
  const alert = { name: 'Errors', metric: 'error_rate', threshold: 0.1 } as const
  await call(createAlertRule, { params, body: alert })
  for (const body of [
    { kind: 'price', model: 'orchid-70b-chat', input_usd_per_mtok: 1, output_usd_per_mtok: 3 },
    { kind: 'alias', model: 'our-deployment', target_model: 'gpt-5' },
  ] as const) {
    await call(createProjectPrice, { params, body })
  }
}

/** Evaluates traces, and disagrees with one evaluator, whose id is returned. */
async function addScores(
  call: BoundCall,
  orgId: string,
  { projectId, traceId }: { readonly projectId: string; readonly traceId: string },
): Promise<string> {
  const params = { projectId }
  const collections = await call(listEvaluatorCollections, { params: { orgId } })
  const collection_id = collections[0]?.id ?? ''
  await call(createEvaluationRule, { params, body: { name: 'New traces', collection_id } })
  const filters = { service: 'support-desk', status: 'ERROR' } as const
  const body = { collection_id, filters, max_traces: 20 }
  const { id: jobId } = await call(evaluateTraces, { params, body })
  let state = 'queued'
  for await (const _ of setInterval(200)) {
    ;({ state } = await call(readJob, { params: { projectId, jobId } }))
    if (state !== 'queued' && state !== 'running') break
  }
  if (state !== 'completed') throw new Error(`The evaluation is ${state}.`)
  const inTrace = { projectId, traceId }
  const scores = await call(listScores, { params: inTrace, query: { limit: 100 } })
  const chosen = scores.find(({ evaluator_id, status }) => evaluator_id && status === 'scored')
  const evaluator_id = chosen?.evaluator_id ?? ''
  const passed = chosen?.passed === false
  const verdict = { evaluator_id, score: passed ? 1 : 0, passed, reasoning: 'I read the reply.' }
  await call(putScore, { params: inTrace, body: verdict })
  await call(putScore, { params: inTrace, body: { name: 'Helpful', score: 0.8 } })
  return evaluator_id
}
