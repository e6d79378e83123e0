import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeProvider, startFakeProvider } from './fake-provider.ts'
import { answeringModel } from './fake-turn.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * An application of Langfuse's SDK with only its base URL and keys changed, as the guide describes it.
 */

let service: RunningService
let first: SetUpService
let models: FakeProvider

beforeAll(async () => {
  service = await runService()
  first = await setUpService(service)
  models = await startFakeProvider()
})
afterAll(async () => {
  await models.close()
  await service.stop()
})

/** Runs the application to its end; returns the exit code and what it logged. */
async function runApplication(env: Readonly<Record<string, string>>) {
  const script = join(import.meta.dirname, 'langfuse/application.ts')
  const child = spawn(process.execPath, [script], {
    env: { LANGFUSE_BASE_URL: service.origin, MODEL_URL: models.url, ...env },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, log }
}

async function tracesOf(environment: string) {
  const call = callAs(service, first)
  const params = { projectId: first.project.id }
  const found = await call(listTraces, { params, query: { environment } })
  return Promise.all(
    found.map(({ trace_id }) =>
      call(readTrace, { params: { ...params, traceId: trace_id }, query: {} }),
    ),
  )
}

const image = `data:image/png;base64,${Buffer.from('an image').toString('base64')}`

test('an agent arrives complete, although its score and its prompt have no address here', async () => {
  const { code, log } = await runApplication({
    LANGFUSE_PUBLIC_KEY: 'pk-lf-any',
    LANGFUSE_SECRET_KEY: first.tracing_key,
    LANGFUSE_MEDIA_UPLOAD_ENABLED: 'false',
    LANGFUSE_TRACING_ENVIRONMENT: 'two-values',
  })
  expect(code, log).toBe(0)
  expect(log).toContain('Failed to export score batch')
  const [trace, ...others] = await tracesOf('two-values')
  expect(others).toEqual([])
  expect(trace).toMatchObject({
    root_name: 'weather',
    status: 'OK',
    session_id: 'session-1',
    user_id: 'ana',
    tags: ['weather'],
    tokens_in: 130,
    tokens_out: 32,
    llm_call_count: 2,
    tool_call_count: 1,
    models: [answeringModel],
  })
  const ofKind = (kind: string) => trace?.spans.filter((span) => span.kind === kind) ?? []
  expect(ofKind('agent')).toMatchObject([
    { input: 'Weather in Paris?', output: 'It is 14 degrees and raining in Paris.' },
  ])
  expect(ofKind('tool')).toMatchObject([
    { input: { city: 'Paris' }, output: { temp: 14, sky: 'rain' } },
  ])
  expect(ofKind('llm')).toMatchObject([
    { tokens_in: 50, tokens_out: 20, tokens_cache_read: 16 },
    { tokens_in: 80, tokens_out: 12, tokens_cache_read: 16 },
  ])
  for (const { input } of ofKind('llm')) {
    expect(JSON.stringify(input)).toContain('Weather in Paris? 🌧')
    expect(JSON.stringify(input)).toContain(image)
  }
})

test('unless uploads of media are disabled, an image is lost and the rest arrives', async () => {
  const { code, log } = await runApplication({
    LANGFUSE_PUBLIC_KEY: 'pk-lf-any',
    LANGFUSE_SECRET_KEY: first.tracing_key,
    LANGFUSE_TRACING_ENVIRONMENT: 'with-uploads',
  })
  expect(code, log).toBe(0)
  expect(log).toContain('Error processing media item')
  const [trace] = await tracesOf('with-uploads')
  expect(trace).toMatchObject({ tokens_in: 130, tokens_out: 32, llm_call_count: 2 })
  expect(JSON.stringify(trace)).not.toContain(image)
  expect(JSON.stringify(trace)).toContain('@@@langfuseMedia:type=image/png')
})

test('with keys of Langfuse the export fails and nothing is stored', async () => {
  const { code, log } = await runApplication({
    LANGFUSE_PUBLIC_KEY: 'pk-lf-any',
    LANGFUSE_SECRET_KEY: 'sk-lf-any',
    LANGFUSE_TRACING_ENVIRONMENT: 'other-keys',
  })
  expect(code).toBe(1)
  expect(log).toContain('OTLPExporterError: Unauthorized')
  expect(await tracesOf('other-keys')).toEqual([])
})
