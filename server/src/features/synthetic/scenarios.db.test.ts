import type { Blueprint } from '@assay/contract/blueprint.ts'
import { limits } from '@assay/contract/limits.ts'
import { draftScenarios, synthesizeBlueprint } from '@assay/contract/synthetic.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ReceivedCall } from '../../../test/scripted-model.ts'
import { addModelConfig, runningModel } from '../../../test/scripted-model-suite.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { returnsBlueprint, returnsPolicy } from '../../../test/written-blueprint.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const owner = signedInPerTest(service, () => tenant.members.Owner)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const model = runningModel()

const params = () => ({ projectId: tenant.projectId })
const send = (body: object, as = editor) =>
  service.call(draftScenarios, { params: params(), body }, as)
const minimal = { agent: { system_prompt: 'You help with returns of camping gear.' } }

/** A scenario for each cell that the request asks for. */
function writeAll({ texts }: ReceivedCall) {
  const cells = [...texts.join('').matchAll(/"cell":(\d+),.*?"user_turns":(\d+)/g)]
  const scenarios = cells.map(([, cell, turns]) => ({
    ...{ cell: Number(cell), name: `Return number ${cell}`, goal: 'Return a tent.' },
    ...{ known: ['O-1001'], unknown: [], satisfied_when: 'It is returned.' },
    turns: Array.from(
      { length: Number(turns) },
      (_, n) => `Words ${cell} and ${n}: ${'abcdefgh'.slice(n)} ${cell}`,
    ),
  }))
  return { answer: { scenarios } }
}

beforeEach(() => model.always(writeAll))

const addModel = () => addModelConfig(service, model, { orgId: tenant.organizationId, as: owner })

describe('scenarios of a blueprint', () => {
  beforeEach(async () => {
    await addModel()
  })

  test('are as many as requested, by the model, about its records', async () => {
    model.play({ answer: returnsBlueprint })
    const source = { source: { text: returnsPolicy } }
    const synthesis = await service.call(
      synthesizeBlueprint,
      { params: params(), body: source },
      editor,
    )
    const blueprint: Blueprint = synthesis.data.blueprint
    const before = model.requests.length
    const { status, data } = await send({ blueprint, count: 6 })
    expect([status, data.scenarios.length]).toEqual([200, 6])
    expect(data.scenarios.every(({ origin }) => origin === 'model')).toBe(true)
    expect(new Set(data.scenarios.map(({ id }) => id)).size).toBe(6)
    const [call] = model.requests.slice(before)
    expect(call?.texts.join('')).toContain('O-1001')
    expect(call?.system).not.toContain('O-1001')
  })

  test('are five by default, with the same ids again, and stored only as traces', async () => {
    const first = await send({ blueprint: minimal })
    const again = await send({ blueprint: minimal })
    expect(first.data.scenarios).toHaveLength(5)
    expect(again.data.scenarios.map(({ id }) => id)).toEqual(
      first.data.scenarios.map(({ id }) => id),
    )
    const query = { mode: 'simulation' }
    const { data } = await service.call(listTraces, { params: params(), query }, viewer)
    expect(new Set(data.map((one) => one.root_name))).toEqual(new Set(['draft scenarios']))
  })

  test('that the model fails to write are from templates', async () => {
    model.always((call) => {
      const { answer } = writeAll(call)
      return { answer: { scenarios: answer.scenarios.slice(0, 2) } }
    })
    const { scenarios } = (await send({ blueprint: minimal, count: 8 })).data
    expect(new Set(scenarios.map(({ origin }) => origin))).toEqual(new Set(['model', 'template']))
    expect(scenarios).toHaveLength(8)
  })

  test.each([
    ['errors', { status: 401 }],
    ['prose', { prose: 'No.' }],
    ['no usable scenario', { answer: { scenarios: [] } }],
  ] as const)('are a 502 when every answer is %s', async (_what, step) => {
    model.always(step)
    const { status, error } = await send({ blueprint: minimal })
    expect([status, error.code]).toEqual([502, 'INTERNAL_ERROR'])
  })

  test.each([
    ['no blueprint', {}],
    ['no scenario', { blueprint: minimal, count: 0 }],
    ['51 scenarios', { blueprint: minimal, count: limits.draftedScenarios.value + 1 }],
    ['an empty prompt', { blueprint: { agent: { system_prompt: '' } } }],
    [
      'a real tool',
      { blueprint: { agent: { ...minimal.agent, tools: [{ name: 'pay', mode: 'real' }] } } },
    ],
  ])('are refused for %s, before a model is called', async (_what, body) => {
    const before = model.requests.length
    const { status, error } = await send(body)
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(model.requests).toHaveLength(before)
  })

  test('are by the requested model, whatever the case of its id', async () => {
    const target = { orgId: tenant.organizationId, as: owner }
    const id = await addModelConfig(service, model, target, { model: 'other' })
    await send({ blueprint: minimal, model_config_id: id.toUpperCase() })
    expect(model.requests.at(-1)?.body['model']).toBe('other')
  })

  test('by a model that does not exist are not found', async () => {
    const body = { blueprint: minimal, model_config_id: crypto.randomUUID() }
    expect((await send(body)).error.code).toBe('NOT_FOUND')
  })

  test('in no JSON are invalid, of another type refused, and refused to a Viewer', async () => {
    const raw = (text: string, headers = {}) =>
      service.call(draftScenarios, { params: params(), raw: text, send: headers }, editor)
    expect((await raw('{')).status).toBe(400)
    expect((await raw('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send({ blueprint: minimal }, viewer)).error.code).toBe('FORBIDDEN')
  })
})

test('without any model, scenarios of a blueprint are a 503 with the sentence of the specification', async () => {
  const { status, error } = await send({ blueprint: minimal })
  expect([status, error.message]).toEqual([
    503,
    'Scenario preview is not configured on this deployment.',
  ])
})
