import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyPlaceholder, type Snippet } from '../web/tracing/src/pages/send/snippet.ts'
import { snippetsFor } from '../web/tracing/src/pages/send/snippets.ts'
import { type FakeProvider, startFakeProvider } from './fake-provider.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * The snippets of the page *Send traces* that say that tests run them, as a person would run them.
 */

const run = promisify(execFile)
const ids = snippetsFor('', keyPlaceholder).flatMap(({ id, tested }) =>
  tested === 'run' ? id : [],
)

let service: RunningService
let first: SetUpService
let models: FakeProvider
let folder: string

beforeAll(async () => {
  service = await runService()
  first = await setUpService(service)
  models = await startFakeProvider()
  const cache = join(import.meta.dirname, '../.cache')
  mkdirSync(cache, { recursive: true })
  // Below the installed packages, which the programs import.
  folder = mkdtempSync(join(cache, 'snippets-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await models.close()
  await service.stop()
})

test('more than one snippet is run', () => {
  expect(ids).toEqual(['curl', 'environment', 'node', 'ai-sdk'])
})

test.each(ids)('%s: sends one trace with what was asked and answered', async (id) => {
  const params = { projectId: first.project.id }
  const call = callAs(service, first)
  const known = await call(listTraces, { params, query: {} })
  await runSnippet(id)
  const found = await call(listTraces, { params, query: {} })
  const added = found.filter((one) => known.every(({ trace_id }) => one.trace_id !== trace_id))
  expect(added).toHaveLength(1)
  const [{ trace_id: traceId } = { trace_id: '' }] = added
  const { spans } = await call(readTrace, { params: { ...params, traceId }, query: {} })
  const model = spans.find(({ kind }) => kind === 'llm')
  expect(JSON.stringify(model?.input)).toContain('Is anyone there?')
  expect(model?.output).not.toBeNull()
  expect(model?.tokens_in).toBeGreaterThan(0)
})

/** Saves its files and runs its commands, but installs nothing. */
async function runSnippet(id: string): Promise<void> {
  const snippets = snippetsFor(service.origin, first.tracing_key)
  const find = (wanted: string): Snippet['steps'] =>
    snippets.find((one) => one.id === wanted)?.steps ?? []
  const steps = find(id)
  // Variables for any program, such as that of another snippet.
  const isProgram = id !== 'environment'
  const commands = steps.flatMap(({ label, text }) => (isCommand(label) ? text : []))
  if (!isProgram) commands.push('node first-trace.mjs')
  for (const { label, text } of isProgram ? steps : find('node')) {
    const file = /^Save as (\S+)$/.exec(label)?.[1]
    if (file !== undefined) writeFileSync(join(folder, file), text)
  }
  await run('sh', ['-ec', commands.join('\n')], {
    cwd: folder,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      OPENAI_BASE_URL: models.url,
    },
  })
}

function isCommand(label: string): boolean {
  return label !== 'Install' && !label.startsWith('Save as ')
}
