import { readTrace } from '@assay/contract/traces.ts'
import { expect, test } from 'vitest'
import { chatSuite, findStart, send } from '../../../test/chat-suite.ts'
import {
  attachmentRow,
  chatMessageRow,
  conversationRow,
  insertRows,
} from '../../../test/conversation-rows.ts'
import { addModelConfig } from '../../../test/scripted-model-suite.ts'
import type { ChatMessageRow } from '../../storage/accounts/chat-tables.ts'

/*
 * The context of a turn in a long conversation, which is read in pieces.
 */

const { service, model, calls, ana } = chatSuite({ answer: 'Yes.' })

/** A conversation whose messages follow each other, and one beside them. Returns its rows. */
async function haveConversation(texts: readonly string[]): Promise<readonly ChatMessageRow[]> {
  const conversation = conversationRow(
    { project_id: ana.projectId, user_id: ana.userId },
    { message_count: texts.length },
  )
  const rows: ChatMessageRow[] = []
  for (const [at, content] of texts.entries()) {
    const more = { parent_id: rows.at(-1)?.id ?? null, content } as const
    const role = at % 2 === 0 ? 'user' : 'assistant'
    rows.push(chatMessageRow(conversation.id, { ...more, role }))
  }
  const beside = chatMessageRow(conversation.id, { content: 'Another branch' })
  await insertRows(service, 'conversations', [conversation])
  await insertRows(service, 'chat_messages', [...rows, beside])
  return rows
}

async function turn(rows: readonly ChatMessageRow[], body: object = {}) {
  const [first] = rows
  const last = { conversation_id: first?.conversation_id, parent_id: rows.at(-1)?.id }
  const events = await (await send(service, ana, { ...last, ...body })).all()
  return { events, start: findStart(events), texts: calls.sent().at(-1)?.texts }
}

test('has every message of its branch in order, however many there are', async () => {
  const texts = Array.from({ length: 601 }, (_, at) => `Message ${at}`)
  const rows = await haveConversation(texts.slice(0, -1))
  expect((await turn(rows, { message: texts.at(-1) })).texts).toEqual(texts)
})

test('is the same in the trace of the turn, also where that is encoded in another thread', async () => {
  const rows = await haveConversation(['word '.repeat(4000), 'Yes.'])
  const { start } = await turn(rows, { message: 'Why? My key is ghp_zQ4x.' })
  const params = { projectId: ana.projectId, traceId: start.trace_id }
  const { data } = await service.call(readTrace, { params, query: {} }, ana.as)
  const reply = data.spans.find(({ name }) => name === 'reply')
  expect(reply?.input).toEqual({
    messages: [
      { role: 'system', content: '' },
      { role: 'user', content: 'word '.repeat(4000) },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Why? My key is ghp_zQ4x.' },
    ],
  })
})

test('has the newest messages that the model has room for, each with its attachments or not at all', async () => {
  const small = { provider: 'openai', model: 'gpt-3.5-turbo' }
  const at = { orgId: ana.organizationId, as: ana.as }
  const model_config_id = await addModelConfig(service, model, at, small)
  const long = 'é '.repeat(12_000)
  const rows = await haveConversation(['Old', 'Older', 'With a file', 'Hm', long, 'Yes'])
  const file = { message_id: rows[2]?.id ?? null, text: long, chars: long.length }
  await insertRows(service, 'chat_attachments', [attachmentRow(ana.userId, file)])
  const { texts, events } = await turn(rows, { model_config_id, message: 'Why?' })
  expect(texts).toEqual(['Hm', long, 'Yes', 'Why?'])
  const message = expect.stringMatching(/^The 3 oldest messages were left out/)
  expect(events).toContainEqual(expect.objectContaining({ type: 'notice', message }))
})

test('of a message that is answered again ends with it and its attachments', async () => {
  const rows = await haveConversation(['One', 'Yes', 'Two'])
  const file = { message_id: rows[2]?.id ?? null }
  await insertRows(service, 'chat_attachments', [attachmentRow(ana.userId, file)])
  const again = { regenerate: true, message: undefined }
  const attached = 'Attached file terms.txt:\n```\nReturns\n```\n\nTwo'
  expect((await turn(rows, again)).texts).toEqual(['One', 'Yes', attached])
  const history = [{ role: 'user', content: 'Other' }]
  const merged = `Other\n\n${attached}`
  expect((await turn(rows, { ...again, history })).texts).toEqual([merged])
})
