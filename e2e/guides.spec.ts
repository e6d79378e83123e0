import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../server/test/scripted-model.ts'
import { returnsBlueprint } from '../server/test/written-blueprint.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * Runs the commands of the guides unchanged, except for the address of the service. A scripted provider answers for the models.
 */

const run = promisify(execFile)
const folder = join(import.meta.dirname, '../docs/guides')
const addressInGuides = 'http://localhost:4600'
const chatAddressInGuides = 'http://localhost:4601'

interface Command {
  readonly guide: string
  readonly text: string
}

const commands: readonly Command[] = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .flatMap((guide) => {
    const blocks = readFileSync(join(folder, guide), 'utf8').matchAll(
      /^```sh runnable\n(.*?)^```$/gms,
    )
    return [...blocks].map(([, text = '']) => ({ guide, text }))
  })

let service: RunningService
let setUp: SetUpService
let model: ScriptedModel

beforeAll(async () => {
  model = await startScriptedModel()
  model.always({ answer: returnsBlueprint })
  service = await runService()
  setUp = await setUpService(service)
  await callAs(service, setUp)(createModelConfig, {
    params: { orgId: setUp.organization.id },
    body: { label: 'Model', provider: 'openai-compatible', model: 'model-1', base_url: model.url },
  })
})

afterAll(async () => {
  await service.stop()
  await model.close()
})

describe('the commands of the guides', () => {
  test.each(commands.map(({ guide, text }, at) => [`${guide}, command ${at + 1}`, text] as const))(
    '%s succeeds',
    async (_name, text) => {
      const env = {
        ...{ PATH: process.env['PATH'], TRACING_KEY: setUp.tracing_key },
        ...{ COOKIE: setUp.session.cookie, PROJECT: setUp.project.id, ORG: setUp.organization.id },
        ...{ ORG_SLUG: setUp.organization.slug, PROJECT_SLUG: setUp.project.slug },
      }
      const script = text
        .replaceAll(addressInGuides, service.origin)
        .replaceAll(chatAddressInGuides, new URL(service.chatApi).origin)
      // The provider answers in this process, so the command must not block it.
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { env })
      expect(stdout).not.toContain('"error"')
    },
  )

  test('have the documented result', async () => {
    const projectId = setUp.project.id
    const read = callAs(service, setUp)
    const query = { mode: 'live' } as const
    const all = await read(listTraces, { params: { projectId }, query })
    // The id of a turn's trace is random.
    const traces = all.filter(({ service: of }) => of !== 'chat')
    expect(all.length).toBe(traces.length + 1)
    expect(
      traces.map(({ trace_id, span_count, status, source }) => ({
        trace_id,
        span_count,
        status,
        source,
      })),
    ).toEqual([
      { trace_id: 'order-1043', span_count: 1, status: 'OK', source: 'json' },
      { trace_id: 'refund-77', span_count: 2, status: 'ERROR', source: 'json' },
      { trace_id: 'order-1042', span_count: 3, status: 'ERROR', source: 'json' },
      { trace_id: '5b8efff798038103d269b633813fc60c', span_count: 1, status: 'OK', source: 'otlp' },
      { trace_id: '7c3a1f0e5b8d4e62a9f10b3c4d5e6f70', span_count: 1, status: 'OK', source: 'otlp' },
    ])
    const params = { projectId, traceId: '5b8efff798038103d269b633813fc60c' }
    const { spans } = await read(readTrace, { params, query: {} })
    expect(spans).toMatchObject([{ kind: 'llm', model: 'gpt-5-mini', tokens_in: 812 }])
  })
})
