import { stopReply } from '@assay/contract/chat-stream.ts'
import { removeMember } from '@assay/contract/members.ts'
import { expect, test } from 'vitest'
import {
  addColleague,
  type ChatUser,
  chatSuite,
  findStart,
  join,
  send,
  summary,
} from '../../../test/chat-suite.ts'

/*
 * Replies that another process writes: this one has nothing but their rows.
 */

const { service, ana } = chatSuite(({ body }) =>
  body['stream'] === true ? { answer: 'Yes.' } : { status: 400 },
)

/** A reply of the user, and the function that another process stores it with. */
async function elsewhere(user: ChatUser) {
  const { message_id } = findStart(await (await send(service, user)).all())
  let renewals = 0
  const set = (values: string) =>
    service.query(`update chat_messages set ${values} where id = '${message_id}' returning id`)
  const renew = (content: string) => {
    renewals += 1
    const until = new Date(Date.UTC(2999, 0) + renewals).toISOString()
    const text = `content = '${content}', finish_reason = null, tokens_in = null, tokens_out = null`
    return set(`${text}, status = 'streaming', running_until = '${until}'`)
  }
  const end = (values: string) => set(`running_until = null, ${values}`)
  return { messageId: message_id, set, renew, end }
}

test('is read as it is stored, each part once, and no half of a character', async () => {
  const { messageId, renew, end } = await elsewhere(ana)
  await renew('Items')
  const joined = await join(service, ana, messageId)
  expect((await joined.next('text')).delta).toBe('Items')
  await renew('Items can\uFFFD')
  expect((await joined.next('text')).delta).toBe(' can')
  await renew('Items can\u{1F4E6}')
  expect((await joined.next('text')).delta).toBe('\u{1F4E6}')
  const content = "content = 'Items can\u{1F4E6} be returned.'"
  await end(`${content}, status = 'complete', finish_reason = 'stop'`)
  expect(summary(await joined.all())).toEqual(['text:  be returned.', 'usage', 'done: stop'])
})

test('is stopped by its process', async () => {
  const { messageId, renew, end } = await elsewhere(ana)
  await renew('Items')
  const joined = await join(service, ana, messageId)
  const { data } = await service.call(stopReply, { params: { messageId } }, ana.as)
  expect(data).toEqual({ stopped: true })
  const rows = await service.query(`select is_stopped from chat_messages where id = '${messageId}'`)
  expect(rows).toEqual([{ is_stopped: 1 }])
  await end("status = 'aborted', finish_reason = 'abort'")
  expect(summary(await joined.all()).at(-1)).toBe('done: abort')
})

test('is interrupted with what was stored when its process is gone', async () => {
  const { messageId, renew, set } = await elsewhere(ana)
  await renew('Items')
  const joined = await join(service, ana, messageId)
  await joined.next('text')
  await set("running_until = '2026-01-01T00:00:00.000Z'")
  expect(summary(await joined.all()).at(-1)).toBe(
    'error: The service stopped before the reply was complete.',
  )
})

test('ends for somebody who is removed from the organization meanwhile', async () => {
  const ben = await addColleague(service, ana)
  const { messageId, renew } = await elsewhere(ben)
  await renew('Items')
  const joined = await join(service, ben, messageId)
  await joined.next('text')
  const params = { orgId: ana.organizationId, userId: ben.userId }
  await service.call(removeMember, { params }, ana.as)
  let hasEnded = false
  const rest = joined.all().finally(() => {
    hasEnded = true
  })
  let content = 'Items'
  const write = async () => {
    content += ' more'
    await renew(content)
    return hasEnded
  }
  await expect.poll(write, { timeout: 10_000, interval: 200 }).toBe(true)
  expect((await rest).every(({ type }) => type === 'text')).toBe(true)
})
