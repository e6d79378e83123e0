import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { streamReply } from '@assay/contract/chat-stream.ts'
import { limits } from '@assay/contract/limits.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { callAs, newDataDir, runService, setUpService } from '../e2e/running-service.ts'
import { chatMessageRow, conversationRow, insertRows } from '../server/test/conversation-rows.ts'
import { startScriptedModel } from '../server/test/scripted-model.ts'
import { ms, type Row, row, writeSection } from './page.ts'

/*
 * Part of `npm run bench:chat`: turns in a conversation that is as long as it can be, and how long each holds the event
 * loop. Writes a section of docs/benchmarks.md.
 */

/** Each conversation: turns are added to it. */
const turns = 5
const messages = limits.chatMessages.value - 2 * turns
const texts = { words: 'word ', 'control characters': '\u0001\u0002\u0003""' } as const
/** The shorter window is what most providers have. */
const models = [
  ['gpt-4.1', '1,000,000', 'words'],
  ['gpt-4.1', '1,000,000', 'control characters'],
  ['claude-sonnet-4', '200,000', 'words'],
] as const

const file = join(newDataDir(), 'turns')
const scripted = await startScriptedModel()
const service = await runService({
  env: {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'event-loop-turns.mjs')}`,
    BENCH_TURNS_FILE: file,
  },
})
const setUp = await setUpService(service)
scripted.always({ answer: 'Yes.' })
const rows: Row[] = []
for (const [model, window, kind] of models) rows.push(await measure(model, window, kind))
console.log(
  writeSection(
    'Turns in a full conversation',
    `Written by \`npm run bench:chat\`. The conversation has ${limits.chatMessages.value} messages and ${limits.conversationTextLength.value / 1e6} million characters. The CPU time of the longest turn of the event loop in ${turns} requests, each with its reply and its trace: other requests wait for so long.`,
    rows,
  ),
)
await service.stop()
await scripted.close()

async function measure(model: string, window: string, kind: keyof typeof texts): Promise<Row> {
  const config = await callAs(service, setUp)(createModelConfig, {
    params: { orgId: setUp.organization.id },
    body: { label: model, provider: 'openai', model, base_url: scripted.url, api_key: 'key' },
  })
  const body = {
    ...{ org: setUp.organization.slug, project: setUp.project.slug, message: 'Hello' },
    ...{ conversation_id: await haveConversation(texts[kind]), model_config_id: config.id },
  }
  // The first one loads and compiles what the others use.
  await send({ ...body, conversation_id: undefined })
  service.process.kill('SIGUSR2')
  for (let turn = 0; turn < turns; turn += 1) await send(body)
  const longestMs = await readLongest()
  const work = `A turn with a model that reads ${window} tokens, ${kind}`
  return row(work, '<= 20 ms', ms(longestMs))
}

async function send(body: object): Promise<void> {
  const response = await fetch(service.chatApi + streamReply.path, {
    method: 'POST',
    headers: { ...setUp.session, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!text.includes('"finish_reason":"stop"')) throw new Error(`no reply: ${text}`)
}

async function readLongest(): Promise<number> {
  // Of the model before.
  rmSync(file, { force: true })
  service.process.kill('SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(20)
  return Number(readFileSync(file, 'utf8'))
}

/** Through the interface, each message would be a call of a model. */
async function haveConversation(text: string): Promise<string> {
  const database = new DatabaseSync(join(service.dataDir, 'accounts.sqlite'), { timeout: 10_000 })
  const query = async (statement: string) => database.prepare(statement).all()
  const owner = { project_id: setUp.project.id, user_id: setUp.user.id }
  const conversation = conversationRow(owner, { message_count: messages })
  const length = limits.conversationTextLength.value / limits.chatMessages.value
  let parent_id: string | null = null
  const chain = Array.from({ length: messages }, (_, at) => {
    const role = at % 2 === 0 ? 'user' : 'assistant'
    const content = text.repeat(length / text.length)
    const message = chatMessageRow(conversation.id, { parent_id, role, content })
    parent_id = message.id
    return message
  })
  await insertRows({ query }, 'conversations', [conversation])
  await insertRows({ query }, 'chat_messages', chain)
  database.close()
  return conversation.id
}
