import { evaluateTrace } from '@assay/contract/evaluations.ts'
import { createEvaluator, createEvaluatorCollection } from '@assay/contract/evaluators.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { generateScenarios } from '@assay/contract/scenarios.ts'
import { draftScenarios } from '@assay/contract/synthetic.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { send } from './chat-suite.ts'
import { executionSuite } from './execution-suite.ts'
import { lockTelemetry } from './locked-telemetry.ts'
import { writesAll } from './scripted-writer.ts'

/*
 * Model calls of the service itself while another program locks the file of the telemetry store.
 */

const { scripted, service, tenant, owner, addModel, addRun, execute } = executionSuite()
let unlock: () => void = () => {}
afterEach(() => unlock())

const inProject = () => ({ projectId: tenant.projectId })
const inOrganization = () => ({ orgId: tenant.organizationId })

async function readTraceIds() {
  const { data } = await service.call(listTraces, { params: inProject() }, owner)
  return data.map(({ trace_id }) => trace_id)
}

interface Outcome {
  readonly outcome: unknown
  /** If the response has it. */
  readonly traceId?: string | null | undefined
}

/** Each prepares a request that calls a model once, and returns what sends it. */
const calls: Readonly<Record<string, () => Promise<() => Promise<Outcome>>>> = {
  async 'a judge'() {
    const started_at = '2026-01-01T00:00:00Z'
    const spans = [{ span_id: 'a', name: 'run', kind: 'agent', started_at, output: 'In Oslo.' }]
    await service.call(ingestTrace, { body: { trace_id: 't', spans } }, tenant.keyHeader)
    const own = {
      ...{ name: 'Polite', category: 'quality', prompt_template: 'Is {{output}} polite?' },
    }
    const evaluator = { params: inOrganization(), body: own }
    const { id } = (await service.call(createEvaluator, evaluator, owner)).data
    const collection = { params: inOrganization(), body: { name: 'Own', evaluator_ids: [id] } }
    const { data } = await service.call(createEvaluatorCollection, collection, owner)
    const body = { collection_id: data.id, model_config_id: await addModel() }
    const evidence = [{ span_id: 'a', quote: 'In Oslo' }]
    const criteria = [{ id: 'overall', evidence, verdict: 'yes' }]
    scripted.always({ answer: { criteria, issues: [], reasoning: 'I read it.' } })
    return async () => {
      const args = { params: { ...inProject(), traceId: 't' }, body }
      return { outcome: (await service.call(evaluateTrace, args, owner)).status }
    }
  },
  async 'a simulated conversation'() {
    const { runId } = await addRun(1)
    const body = { model_config_ids: [await addModel()] }
    return async () => {
      const { status, data } = await execute(runId, body)
      const [result] = data.results
      return { outcome: [status, result?.error], traceId: result?.trace_id }
    }
  },
  async 'a model that writes scenarios'() {
    const body = {
      agent_config: { system_prompt: 'You answer.' },
      model_config_id: await addModel(),
    }
    scripted.always(writesAll)
    return async () => {
      const args = { params: inProject(), body }
      return { outcome: (await service.call(generateScenarios, args, owner)).status }
    }
  },
  async 'a model that drafts scenarios of a blueprint'() {
    await addModel()
    scripted.always(writesAll)
    const blueprint = { agent: { system_prompt: 'You answer.' } }
    return async () => {
      const args = { params: inProject(), body: { blueprint } }
      return { outcome: (await service.call(draftScenarios, args, owner)).status }
    }
  },
  async 'a turn of a conversation'() {
    const id = tenant.organizationId
    const [row] = await service.query(`select slug from organizations where id = '${id}'`)
    const project = { org: String(row?.['slug']), project: 'project' }
    const user = { as: owner, userId: tenant.members.Owner.id, modelConfigId: await addModel() }
    scripted.always({ pieces: ['Yes.'] })
    return async () => {
      const reply = await send(service, {
        ...{ ...user, organizationId: id, ...inProject(), project },
      })
      return { outcome: (await reply.all()).at(-1)?.type }
    }
  },
}

describe.skipIf(inject('isScaled'))('while the telemetry store is unavailable', () => {
  test.each([
    // Its score cannot be stored.
    ['a judge', 503],
    ['a simulated conversation', [202, null]],
    ['a model that writes scenarios', 201],
    ['a model that drafts scenarios of a blueprint', 200],
    ['a turn of a conversation', 'done'],
  ])(
    'a call of %s ends, and its trace is stored when the store is available again',
    async (name, expected) => {
      const call = await calls[name]!()
      const before = await readTraceIds()
      unlock = lockTelemetry(service.dataDir)
      const { outcome, traceId } = await call()
      expect(outcome).toEqual(expected)
      expect(await readTraceIds()).toEqual(before)
      unlock()
      const stored = before.length + 1
      await expect.poll(readTraceIds, { timeout: 30_000 }).toHaveLength(stored)
      expect(await readTraceIds()).toContainEqual(traceId ?? expect.any(String))
    },
  )
})
