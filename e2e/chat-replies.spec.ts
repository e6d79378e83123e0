import { stopReply, streamReply } from '@assay/contract/chat-stream.ts'
import { call } from '@assay/contract/client.ts'
import { readConversation } from '@assay/contract/conversations.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../server/test/scripted-model.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * Replies whose process ends in the middle.
 */

let model: ScriptedModel
let service: RunningService
let setUp: SetUpService

beforeAll(async () => {
  model = await startScriptedModel()
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

/** Sends a message, and returns the ids of its reply, of which some text has come. */
async function begin() {
  model.always({ pieces: ['Items can', { ending: 'stall' }] })
  const response = await fetch(service.chatApi + streamReply.path, {
    method: 'POST',
    headers: { ...setUp.session, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ org: setUp.organization.slug, project: setUp.project.slug, message: 'Hello' },
    }),
  })
  let received = ''
  const pieces = response.body!.pipeThrough(new TextDecoderStream())
  // The response is cut off with the process.
  void (async () => {
    for await (const piece of pieces) received += piece
  })().catch(() => undefined)
  await expect.poll(() => received).toContain('"type":"text"')
  const idIn = (name: string) => new RegExp(`"${name}":"([^"]+)"`).exec(received)?.[1] ?? ''
  const ids = { conversationId: idIn('conversation_id'), messageId: idIn('message_id') }
  return { ...ids, parentId: idIn('parent_id') }
}

async function restart(): Promise<void> {
  service = await runService({ dataDir: service.dataDir })
}

const messagesOf = async (conversationId: string) => {
  const as = { headers: setUp.session }
  const params = { conversationId }
  return (await call(service.chatApi, readConversation, { params, query: {} }, as)).messages
}

test('chat case 11: a reply whose process is killed is interrupted once its lease is over, and the tree is intact', async () => {
  const { conversationId, messageId, parentId } = await begin()
  await service.kill()
  await restart()
  const statuses = async () => (await messagesOf(conversationId)).map(({ status }) => status)
  await expect
    .poll(statuses, { timeout: 60_000, interval: 500 })
    .toEqual(['complete', 'interrupted'])
  expect(await messagesOf(conversationId)).toMatchObject([
    { id: parentId, parent_id: null, role: 'user', content: 'Hello' },
    { id: messageId, parent_id: parentId, role: 'assistant' },
  ])
  const as = { headers: setUp.session }
  expect(await call(service.chatApi, stopReply, { params: { messageId } }, as)).toEqual({
    stopped: false,
  })
}, 90_000)

test('a reply is interrupted with its text when the service stops', async () => {
  const { conversationId, messageId } = await begin()
  expect(await service.stop()).toBe(0)
  await restart()
  expect((await messagesOf(conversationId)).at(-1)).toMatchObject({
    ...{ id: messageId, status: 'interrupted', content: 'Items can' },
  })
})
