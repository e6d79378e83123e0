import { readConversation } from '@assay/contract/conversations.ts'
import { describe, expect, test } from 'vitest'
import {
  addColleague,
  chatSuite,
  findStart,
  send,
  summary,
  upload,
} from '../../../test/chat-suite.ts'
import { compose, seededRandom } from '../../../test/credential-samples.ts'

/*
 * Branches that a client means, those that it does not mean, and the attachments of an edited message.
 */

const { service, calls, ana, turn, refused } = chatSuite({ answer: 'Yes.' })

async function refusal(body: object) {
  const { status, code, message } = await refused(body)
  return [status, code, message]
}

describe('a message with no_branch', () => {
  const continued = [
    409,
    'CONFLICT',
    'The conversation was continued elsewhere. Read its new messages first.',
  ]

  test('goes on at the end, and is refused where other messages follow', async () => {
    const first = await turn({ message: 'One' })
    const { conversation_id } = first
    const behind = { conversation_id, parent_id: first.message_id, no_branch: true }
    const second = await turn({ ...behind, message: 'Two' })
    expect(await refusal({ ...behind, message: 'Due' })).toEqual(continued)
    expect(await refusal({ conversation_id, parent_id: null, no_branch: true })).toEqual(continued)
    const third = await turn({ ...behind, parent_id: second.message_id, message: 'Three' })
    expect(third.conversation_id).toBe(conversation_id)
    const branch = await turn({ ...behind, no_branch: false, message: 'Due' })
    expect(branch.conversation_id).toBe(conversation_id)
  })

  test('is accepted once of many that are sent at once', async () => {
    const first = await turn({ message: 'One' })
    const { conversation_id, message_id: parent_id } = first
    const all = await Promise.allSettled(
      ['A', 'B', 'C'].map((message) =>
        turn({ conversation_id, parent_id, no_branch: true, message }),
      ),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of all) {
      if (one.status === 'rejected') expect(String(one.reason)).toContain('409')
    }
    const rows = await service.query(`select * from chat_messages where parent_id = '${parent_id}'`)
    expect(rows).toHaveLength(1)
  })

  test('joins its reply when it is repeated with its client_message_id', async () => {
    const first = await turn({ message: 'One' })
    const { conversation_id, message_id: parent_id } = first
    const body = { conversation_id, parent_id, no_branch: true, client_message_id: 'two' }
    expect((await turn(body)).message_id).toBe((await turn(body)).message_id)
  })
})

describe('an edited message', () => {
  const edit = (conversation_id: string, attachment_ids: readonly string[]) => ({
    ...{ conversation_id, parent_id: null, message: 'Edited', attachment_ids },
  })

  test('has copies of the attachments of its first version, which keeps its own', async () => {
    const kept = await upload(service, ana, 'Within 30 days')
    const { conversation_id, parent_id } = await turn({ message: 'When?', attachment_ids: [kept] })
    const added = await upload(service, ana, 'Unopened')
    const edited = await turn(edit(conversation_id, [kept, added]))
    const { data } = await service.call(
      readConversation,
      { params: { conversationId: conversation_id }, query: {} },
      ana.as,
    )
    const attached = (id: string) =>
      data.messages.find((one) => one.id === id)?.attachments.map(({ chars }) => chars)
    expect([attached(parent_id), attached(edited.parent_id)]).toEqual([[14], [14, 8]])
    const sent = calls.sent().filter(({ body }) => body['stream'] === true)
    expect(sent.at(-1)?.texts.at(-1)).toContain('Within 30 days')
    const [row] = await service.query(`select * from conversations where id = '${conversation_id}'`)
    expect(row?.['text_length']).toBe(
      'When?'.length + 14 + 'Edited'.length + 22 + 2 * 'Yes.'.length,
    )
  })

  test('is not held back for an attachment that was sent anyway with the first version', async () => {
    const token = compose(seededRandom(7), 'ghp_{alphanumeric:36}')
    const attachment_ids = [await upload(service, ana, `Deploy with ${token}`)]
    const { conversation_id } = await turn({ attachment_ids, overridePiiBlock: true })
    const again = await (await send(service, ana, edit(conversation_id, attachment_ids))).all()
    expect(summary(again).at(-1)).toBe('done: stop')
  })

  test('cannot have the attachments of another conversation, or of somebody else', async () => {
    const elsewhere = await upload(service, ana, 'Elsewhere')
    await turn({ attachment_ids: [elsewhere] })
    const { conversation_id } = await turn()
    const notFound = [
      404,
      'NOT_FOUND',
      'Attachment not found. Remove it, or attach the file again.',
    ]
    expect(await refusal(edit(conversation_id, [elsewhere]))).toEqual(notFound)
    const ben = await addColleague(service, ana)
    const bens = await upload(service, ben, 'Of Ben')
    const begun = findStart(await (await send(service, ben, { attachment_ids: [bens] })).all())
    expect(await refusal(edit(conversation_id, [bens]))).toEqual(notFound)
    expect(await refusal(edit(begun.conversation_id, [bens]))).toEqual([
      ...[404, 'NOT_FOUND', 'Conversation not found.'],
    ])
  })
})
