import { evaluateTraces } from '@assay/contract/bulk-evaluations.ts'
import { call } from '@assay/contract/client.ts'
import { createComment } from '@assay/contract/comments.ts'
import { estimateCost } from '@assay/contract/cost-calculator.ts'
import { readCostRun } from '@assay/contract/cost-runs.ts'
import { addKeyStatement, readEncryptionKeys } from '@assay/contract/encryption-keys.ts'
import { evaluateTrace, listEvaluationRuns, tryEvaluator } from '@assay/contract/evaluations.ts'
import { listEvaluatorCollections } from '@assay/contract/evaluators.ts'
import { explainScoreGap } from '@assay/contract/explanations.ts'
import { resumeGeneration, streamResumption } from '@assay/contract/generation-resumption.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  createModelConfig,
  testModelConfig,
  updateModelConfig,
} from '@assay/contract/model-configs.ts'
import { createSampleProject, removeProject } from '@assay/contract/organizations.ts'
import { changePassword } from '@assay/contract/profile.ts'
import { recommend } from '@assay/contract/recommendations.ts'
import { previewRepricing, reprice } from '@assay/contract/repricing.ts'
import { executeRun, streamExecution } from '@assay/contract/run-execution.ts'
import { createSavedView, listSavedViews } from '@assay/contract/saved-views.ts'
import { generateScenarios, streamScenarios } from '@assay/contract/scenarios.ts'
import { testSsoConfig, verifySsoDomain, writeSsoConfig } from '@assay/contract/sso.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { extractAgent, listTraceRuns } from '@assay/contract/trace-runs.ts'
import { type Attack, stored } from './attack.ts'
import { findProjectSlugs } from './project-slugs.ts'
import { traceLists } from './selection-attacks.ts'

/*
 * Attacks of members on what they may change.
 */

const everything = { from: '1970-01-01T00:00:00Z', to: '2200-01-01T00:00:00Z' }

export const memberAttacks: readonly Attack[] = [
  {
    name: 'password-changes',
    by: 'viewer',
    endpoints: [changePassword],
    connections: 32,
    responds: [403],
    requests: () => () => ({
      body: { current_password: 'not the password', new_password: 'a new long password' },
    }),
  },
  {
    name: 'comments',
    by: 'viewer',
    endpoints: [createComment],
    connections: 32,
    responds: [201],
    requests: () => (n) => ({
      params: { traceId: stored.huge[n % 3] ?? '' },
      body: { text: 'c'.repeat(limits.commentLength.value) },
    }),
  },
  {
    name: 'saved-views',
    by: 'viewer',
    endpoints: [createSavedView, listSavedViews],
    connections: 32,
    responds: [201, 200],
    requests: () => (n, endpoint) =>
      endpoint === createSavedView
        ? { body: { name: `View ${n}`, query: 'q'.repeat(limits.viewQueryLength.value) } }
        : {},
  },
  {
    name: 'evaluations',
    by: 'editor',
    endpoints: [evaluateTrace, listEvaluationRuns],
    connections: 32,
    responds: [201, 200],
    requests: async ({ api, organizationId: orgId, credentials }) => {
      const as = { headers: credentials.editor }
      const lists = await call(api, listEvaluatorCollections, { params: { orgId } }, as)
      const collection = lists.find(({ name }) => name === 'Safety and privacy offline') ?? lists[0]
      return (n, endpoint) => ({
        params: { traceId: stored.huge[n % 2] ?? '' },
        ...(endpoint === evaluateTrace ? { body: { collection_id: collection?.id } } : {}),
      })
    },
  },
  {
    name: 'evaluator-trials',
    by: 'editor',
    endpoints: [tryEvaluator],
    connections: 32,
    responds: [200],
    requests: () => (n) => ({
      params: { traceId: stored.huge[n % 3] ?? '' },
      body: { evaluator: 'privacy.pii-in-output' },
    }),
  },
  {
    name: 'bulk-evaluations',
    by: 'editor',
    endpoints: [evaluateTraces],
    connections: 8,
    responds: [202],
    requests: async ({ api, organizationId: orgId, credentials }) => {
      const as = { headers: credentials.editor }
      const [collection] = await call(api, listEvaluatorCollections, { params: { orgId } }, as)
      const body = { collection_id: collection?.id, filters: { name: 'e', min_tokens: 0 } }
      return () => ({ body: { ...body, max_traces: limits.bulkEvaluationTracesMax.value } })
    },
  },
  {
    name: 'explanations',
    by: 'editor',
    endpoints: [explainScoreGap],
    connections: 32,
    responds: [200],
    requests: () => {
      const issues = Array.from({ length: limits.explainedNotes.value }, (_, n) => `issue ${n}`)
      const model = { label: 'a', score: 1, passed: true, reasoning: 'r'.repeat(10_000), issues }
      const body = { evaluator_name: 'e', model_a: model, model_b: { ...model, score: 0 } }
      return () => ({ body })
    },
  },
  {
    name: 'encryption-keys',
    by: 'viewer',
    endpoints: [readEncryptionKeys, addKeyStatement],
    connections: 32,
    responds: [200, 400],
    requests: async (target) => {
      const { api, organizationId, credentials } = target
      const as = { headers: credentials.viewer }
      const query = await findProjectSlugs(target)
      const { challenge, me } = await call(api, readEncryptionKeys, { query }, as)
      const key = `CQ${'A'.repeat(41)}`
      const device = crypto.randomUUID()
      const statement = {
        ...({ v: 1, type: 'enroll', seq: 1, prev: null, suite: 1, label: 'Laptop' } as const),
        ...{ user: me.user_id, org: organizationId, device, by: device, nonce: challenge.nonce },
        // Valid up to the signature, the last and most expensive check.
        ...{ sign_pub: key, kem_pub: `Cg${'A'.repeat(41)}`, created_at: challenge.expires_at },
      }
      const proofs = { sig_new: 'A'.repeat(86), sig_by: 'A'.repeat(86), kem_mac: 'A'.repeat(43) }
      const body = { ...query, challenge_id: challenge.id, statement, ...proofs }
      return (_n, endpoint) => (endpoint === readEncryptionKeys ? { query } : { body })
    },
  },
  {
    name: 'estimates',
    by: 'viewer',
    endpoints: [estimateCost],
    connections: 8,
    responds: [200],
    requests: () => {
      const models = Array.from({ length: limits.estimatedModels.value }, (_, n) => `gpt-4o-${n}`)
      const volumes = { llm_calls_p50: 500, llm_calls_p90: limits.callsPerRun.value }
      const content = 'zq xj kv '.repeat(limits.agentToolContentLength.value / 9)
      return (n) => {
        // Another agent each time: the counts of recent ones are remembered.
        const tools = Array.from({ length: limits.agentTools.value }, () => ({
          name: 't',
          content,
        }))
        const agent_config = { system_prompt: `Agent ${n}`, tools }
        return { body: { agent_config, models: ['gpt-4o', ...models.slice(1)], volumes } }
      }
    },
  },
  {
    name: 'executions',
    by: 'editor',
    endpoints: [executeRun, streamExecution],
    connections: 8,
    responds: [202, 200],
    requests: async ({ api, organizationId: orgId, projectId, credentials, scale }) => {
      const as = { headers: credentials.editor }
      // Without a key, so that every call fails at once.
      const model = { label: 'm', provider: 'openai', model: 'm' } as const
      const { id } = await call(api, createModelConfig, { params: { orgId }, body: model }, as)
      const scenario_count = Math.ceil(limits.scenariosPerRun.value * scale)
      const body = { agent_config: { system_prompt: 'You answer.' }, scenario_count }
      const runIds: string[] = []
      for (let run = 0; run < 8; run += 1) {
        const created = await call(api, generateScenarios, { params: { projectId }, body }, as)
        if ('run_id' in created) runIds.push(created.run_id)
      }
      return (n) => ({
        params: { runId: runIds[n % 8] ?? '' },
        body: { model_config_ids: [id], concurrency: limits.executionConcurrency.value },
      })
    },
  },
  {
    name: 'many-fields',
    by: 'viewer',
    endpoints: [estimateCost],
    connections: 32,
    responds: [200, 400],
    requests: () => {
      const body = (count: number) => {
        const fields = Array.from({ length: count }, (_, n) => [`field ${n}`, 1])
        const agent_config = { system_prompt: 'Returns' }
        return Buffer.from(JSON.stringify({ agent_config, ...Object.fromEntries(fields) }))
      }
      const most = limits.appJsonValues.value
      const bodies = [body(most - 1000), body(2 * most)]
      return (n) => ({ body: bodies[n % 2] ?? {} })
    },
  },
  {
    name: 'generations',
    by: 'editor',
    endpoints: [resumeGeneration, streamResumption],
    connections: 8,
    responds: [200, 200],
    requests: async ({ api, projectId, credentials }) => {
      const as = { headers: credentials.editor }
      const body = {
        ...{ agent_config: { system_prompt: 'You answer.' } },
        scenario_count: limits.scenariosPerRun.value,
      }
      const runIds: string[] = []
      for (let run = 0; run < 8; run += 1) {
        const created = await call(api, generateScenarios, { params: { projectId }, body }, as)
        if ('run_id' in created) runIds.push(created.run_id)
      }
      // They are complete: all scenarios are read, and none is written.
      return (n) => ({ params: { runId: runIds[n % 8] ?? '' } })
    },
  },
  {
    name: 'cost-runs',
    by: 'viewer',
    endpoints: [readCostRun],
    connections: 16,
    responds: [200],
    requests: async ({ api, projectId, credentials }) => {
      const body = {
        ...{ agent_config: { system_prompt: 'p'.repeat(limits.systemPromptLength.value) } },
        scenario_count: limits.scenariosPerRun.value,
      }
      const as = { headers: credentials.editor }
      const created = await call(api, generateScenarios, { params: { projectId }, body }, as)
      const runId = 'run_id' in created ? created.run_id : ''
      return () => ({ params: { runId } })
    },
  },
  {
    // After those that create runs: a project has a limited number of scenarios.
    name: 'scenarios',
    by: 'editor',
    endpoints: [generateScenarios, streamScenarios],
    connections: 8,
    responds: [201, 200],
    requests: () => {
      const content = '{"type":"object","properties":{"order_id":{"type":"string"}}}'
      return (n) => {
        const tools = Array.from({ length: limits.agentTools.value }, (_, tool) => ({
          ...{ name: `tool_${tool}`, content },
        }))
        const agent_config = { system_prompt: `Agent ${n}`, tools }
        return { body: { agent_config, scenario_count: limits.scenariosPerRun.value } }
      }
    },
  },
  {
    name: 'recommendations',
    by: 'viewer',
    endpoints: [recommend],
    connections: 32,
    responds: [200],
    requests: () => {
      const scores = Array.from({ length: limits.candidateScores.value }, (_, n) => (n % 7) / 7)
      const candidates = Array.from({ length: limits.candidates.value }, (_, n) => ({
        ...{ label: `candidate ${n}`, cost_usd: n, latency_ms: n, scores },
      }))
      return () => ({ body: { candidates } })
    },
  },
  {
    name: 'extractions',
    by: 'viewer',
    endpoints: [extractAgent, listTraceRuns],
    connections: 32,
    responds: [200, 200],
    requests: () => (_n, endpoint) =>
      endpoint === extractAgent ? { body: { trace_ids: stored.huge } } : {},
  },
  {
    name: 'sso-checks',
    by: 'admin',
    endpoints: [writeSsoConfig, testSsoConfig, verifySsoDomain],
    connections: 32,
    responds: [200, 422, 422],
    requests: () => (n, endpoint) => {
      if (endpoint === testSsoConfig) return { body: {} }
      if (endpoint === verifySsoDomain) return { params: { domain: 'attackers.invalid' } }
      const issuer = `https://idp-${n}.attackers.invalid`
      return {
        body: { protocol: 'oidc', issuer, client_id: 'assay', domains: ['attackers.invalid'] },
      }
    },
  },
  {
    name: 'models',
    by: 'editor',
    endpoints: [createModelConfig, updateModelConfig, testModelConfig],
    connections: 32,
    responds: [201, 200, 200],
    requests: async ({ api, organizationId: orgId, credentials }) => {
      const body = (n: number) => ({
        ...({ label: 'm', provider: 'openai-compatible', model: 'm' } as const),
        base_url: `https://models-${n}.attackers.invalid/v1`,
      })
      const args = { params: { orgId }, body: body(0) }
      const { id } = await call(api, createModelConfig, args, { headers: credentials.editor })
      return (n, endpoint) => ({
        ...(endpoint === createModelConfig ? {} : { params: { configId: id } }),
        ...(endpoint === testModelConfig ? {} : { body: body(n) }),
      })
    },
  },
  {
    name: 're-pricing',
    by: 'admin',
    endpoints: [reprice, previewRepricing],
    connections: 8,
    responds: [202, 200],
    requests: () => () => ({ body: everything }),
  },
  {
    name: 'sample-projects',
    by: 'admin',
    endpoints: [createSampleProject],
    connections: 4,
    responds: [201],
    requests: () => () => ({}),
  },
  {
    name: 'trace-removal',
    by: 'admin',
    endpoints: [removeTrace],
    connections: 8,
    responds: [200, 200],
    requests: async (target) => {
      const ids = [stored.huge[2], ...(await traceLists(target, 20)).flat()]
      return (n) => ({ params: { traceId: ids[n] ?? 'no more' } })
    },
  },
  {
    name: 'project-removal',
    by: 'admin',
    endpoints: [removeProject],
    connections: 1,
    responds: [200],
    requests:
      ({ secondProjectId: projectId }) =>
      () => ({ params: { projectId }, body: { confirm: 'second' } }),
  },
]
