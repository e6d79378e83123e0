import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChatRequest, streamReply } from '@assay/contract/chat-stream.ts'
import { call } from '@assay/contract/client.ts'
import { readConversation } from '@assay/contract/conversations.ts'
import { addKeyStatement, readEncryptionKeys } from '@assay/contract/encryption-keys.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { updateProject } from '@assay/contract/organizations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedModel, type Step, startScriptedModel } from '../server/test/scripted-model.ts'
import { beginEpoch } from '../web/chat/src/crypto/begin-epoch.ts'
import { newDeviceKeys } from '../web/chat/src/crypto/device-keys.ts'
import { signNew } from '../web/chat/src/crypto/key-statements.ts'
import { verifyDirectory } from '../web/chat/src/crypto/verify-directory.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * What a service leaves behind that is stopped, killed or crashes while it writes replies of encrypted conversations:
 * its data folder, its log, diagnostic reports, and its heap. A canary is in every text of such a conversation.
 */

const canary = 'KANARIENVOGEL'
/** In a conversation that is not encrypted: the search finds what is there. */
const control = 'BLAUMEISE'

let model: ScriptedModel
let service: RunningService
let setUp: SetUpService
let left: string
let logs = ''

/** Throws where nobody catches it. */
const crashSignal = 'SIGURG'
const crash = `process.on('${crashSignal}', () => setImmediate(() => { throw new Error('crashed by the test') }))`

async function start(): Promise<void> {
  const options = [
    ...['--report-on-signal', '--report-uncaught-exception', '--report-on-fatalerror'],
    ...[`--report-directory=${left}`, `--diagnostic-dir=${left}`, '--heapsnapshot-signal=SIGWINCH'],
    `--import=data:text/javascript,${encodeURIComponent(crash)}`,
  ]
  const env = { NODE_OPTIONS: options.join(' '), ASSAY_LOG_LEVEL: 'debug' }
  const dataDir = service === undefined ? {} : { dataDir: service.dataDir }
  service = await runService({ ...dataDir, env })
}

function keepLogs(): void {
  logs += service.log() + service.printed()
}

beforeAll(async () => {
  left = mkdtempSync(join(tmpdir(), 'assay-left-'))
  model = await startScriptedModel()
  await start()
  setUp = await setUpService(service)
  await callAs(service, setUp)(createModelConfig, {
    params: { orgId: setUp.organization.id },
    body: { label: 'Model', provider: 'openai-compatible', model: 'model-1', base_url: model.url },
  })
  const params = { projectId: setUp.project.id }
  await callAs(service, setUp)(updateProject, { params, body: { encrypted_history: 'optional' } })
  const { owner, chain, challenge } = await readKeys()
  const parts = { owner, after: chain, challenge, label: 'Laptop', device: await newDeviceKeys() }
  const body = { ...slugs(), ...(await signNew({ type: 'enroll', ...parts })) }
  await call(service.chatApi, addKeyStatement, { body }, asAna())
})
afterAll(async () => {
  await service.stop()
  await model.close()
  rmSync(left, { recursive: true, force: true })
})

const asAna = () => ({ headers: setUp.session })
const slugs = () => ({ org: setUp.organization.slug, project: setUp.project.slug })

async function readKeys() {
  const directory = await call(service.chatApi, readEncryptionKeys, { query: slugs() }, asAna())
  const verified = await verifyDirectory(directory, directory.me.user_id, undefined)
  return { ...verified, challenge: directory.challenge }
}

/** Sends a message of an encrypted conversation; resolves when the reply has ended, or has the text. */
async function send(step: Step, until: string, more: Partial<ChatRequest> = {}) {
  model.always(step)
  const { encryption } = await beginEpoch(1, await readKeys())
  const body = {
    ...{ ...slugs(), encryption, message: `${canary} message`, system: `${canary} system` },
    history: [{ role: 'user', content: `${canary} history` }],
    attachments: [{ name: `${canary} name.txt`, text: `${canary} text` }],
    ...more,
  }
  return await sendBody(body, until)
}

async function sendBody(body: object, until: string): Promise<string> {
  const response = await fetch(service.chatApi + streamReply.path, {
    method: 'POST',
    headers: { ...setUp.session, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  let received = ''
  // The response is cut off with the process.
  const reading = (async () => {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) received += piece
  })().catch(() => undefined)
  await expect.poll(() => received, { timeout: 15_000 }).toContain(until)
  if (until !== 'text') await reading
  return /"conversation_id":"([^"]+)"/.exec(received)?.[1] ?? ''
}

const halfReply: Step = { pieces: [`${canary} half`, { ending: 'stall' }] }

async function statusesOf(conversationId: string) {
  const args = { params: { conversationId }, query: {} }
  const { messages } = await call(service.chatApi, readConversation, args, asAna())
  return messages.map(({ status, content }) => [status, content])
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })
}

/** Where the text is found, with what is around it. */
function around(text: string, folder: string): string[] {
  return filesIn(folder).flatMap((path) => {
    const bytes = readFileSync(path)
    const at = bytes.indexOf(text)
    return at === -1 ? [] : [`${path}: ${bytes.toString('latin1', Math.max(0, at - 60), at + 60)}`]
  })
}

const reports = () => readdirSync(left).filter((name) => name.startsWith('report'))
const isReported = async (count: number) => {
  await expect.poll(() => reports().length, { timeout: 15_000 }).toBe(count)
}

test('chat case 36: replies that end, in whatever way, leave nothing in files and logs', async () => {
  await sendBody({ ...slugs(), message: `${control} message` }, '"done"')
  await send({ answer: `${canary} answer` }, '"done"')
  await send({ status: 400, message: `${canary} is refused` }, '"error"')
  await send({ status: 500, message: `${canary} is down` }, '"error"')
  await send({ pieces: [`${canary} then`, { error: `${canary} failed` }] }, '"error"')
  await send({ pieces: [{ raw: `data: {"choices": ${canary}\n\n` }] }, '"error"')
  await send({ pieces: [{ raw: `data: {"choices": [{"delta": "${canary}"}]}\n\n` }] }, '"error"')
  await send({ pieces: [`${canary} is`, { ending: 'cut' }] }, '"error"')
  expect(around(control, service.dataDir)).not.toEqual([])
  expect(around(canary, service.dataDir)).toEqual([])
  keepLogs()
  expect(logs).not.toContain(canary)
})

test('chat case 36: a reply that has ended is not in the memory of the service', async () => {
  model.always({ answer: `${control} reply` })
  await sendBody({ ...slugs(), message: 'Hello' }, '"done"')
  service.process.kill('SIGWINCH')
  const snapshots = () => filesIn(left).filter((path) => path.endsWith('.heapsnapshot'))
  await expect.poll(() => snapshots().length, { timeout: 30_000 }).toBe(1)
  await isWritten(snapshots()[0] ?? '')
  expect(around(canary, left)).toEqual([])
}, 60_000)

async function isWritten(path: string): Promise<void> {
  await expect
    .poll(() => readFileSync(path, 'latin1').trimEnd().endsWith('}'), { timeout: 30_000 })
    .toBe(true)
}

test('chat case 36: a service that is stopped, crashes or is killed in the middle of a reply leaves nothing of it', async () => {
  const stopped = await send(halfReply, 'text')
  service.process.kill('SIGUSR2')
  await isReported(1)
  expect(await service.stop()).toBe(0)
  keepLogs()
  await start()
  expect(await statusesOf(stopped)).toEqual([
    ['complete', ''],
    ['interrupted', ''],
  ])
  await send(halfReply, 'text')
  const crashed = once(service.process, 'exit')
  service.process.kill(crashSignal)
  await crashed
  await isReported(2)
  keepLogs()
  expect(logs).toContain('crashed by the test')
  await start()
  await send(halfReply, 'text')
  await service.kill()
  keepLogs()
  expect(around(canary, service.dataDir)).toEqual([])
  expect(around(canary, left)).toEqual([])
  expect(logs).not.toContain(canary)
  await start()
}, 60_000)
