import { limits } from '@assay/contract/limits.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant, type Tenant } from '../../../test/people.ts'
import { newOrderedId } from '../../platform/ids.ts'
import type { CommentRow } from '../../storage/accounts/trace-tables.ts'
import { addComment } from './add-comment.ts'

const most = limits.commentsPerTrace.value

let opened: TestAccounts
let tenant: Tenant

const comment = (text: string, traceId = 't'): CommentRow => ({
  id: newOrderedId(),
  project_id: tenant.projectId,
  trace_id: traceId,
  author_id: tenant.members.Viewer.id,
  text,
  created_at: '2026-05-01T08:00:00.000Z',
})
const count = (traceId = 't') => opened.accounts.comments.count(tenant.projectId, traceId)

async function insert(comments: number): Promise<void> {
  await opened.accounts.transaction(async (stores) => {
    for (let at = 0; at < comments; at += 1) await stores.comments.insert(comment(`${at}`))
  })
}

describe.each(engines)('comments on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    tenant = await addTenant(opened.accounts)
  })

  test('a trace accepts comments up to the limit, also from concurrent requests', async () => {
    await insert(most - 2)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, at) => addComment(comment(`late ${at}`), opened.accounts)),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.map(({ reason }) => reason as unknown)).toEqual(
      Array(4).fill(
        expect.objectContaining({
          code: 'CONFLICT',
          message: 'A trace can have at most 1,000 comments. Delete a comment first.',
        }),
      ),
    )
    expect(await count()).toBe(most)
    await addComment(comment('on another trace', 'u'), opened.accounts)
    expect(await count('u')).toBe(1)
  })

  test('a project accepts comments of a user up to the limit', async () => {
    const { projectId, members } = tenant
    const left = limits.commentsPerUser.value - 1
    await opened.query(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${left})
       insert into trace_comments (id, project_id, trace_id, author_id, text, created_at)
       select '${projectId}' || n, '${projectId}', 'trace ' || n, '${members.Viewer.id}', 'x', '2026'
       from numbers`,
    )
    await addComment(comment('the last one'), opened.accounts)
    await expect(addComment(comment('one more'), opened.accounts)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'A user can have at most 10,000 comments in a project. Delete a comment first.',
    })
    expect(await count()).toBe(1)
    await addComment({ ...comment('x'), author_id: members.Editor.id }, opened.accounts)
    expect(await count()).toBe(2)
  })

  test('pages return every comment once, oldest first, while others are added', async () => {
    await insert(7)
    const { comments } = opened.accounts
    const texts: string[] = []
    let after: string | undefined
    for (;;) {
      const page = await comments.list(tenant.projectId, 't', { limit: 3, after })
      texts.push(...page.map(({ text }) => text))
      after = page.at(-1)?.id
      if (page.length < 3) break
      if (texts.length === 3) await addComment(comment('7'), opened.accounts)
    }
    expect(texts).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
  })
})
