import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant } from '../../../test/people.ts'
import { newOrderedId } from '../../platform/ids.ts'
import type { ReviewQueueRow } from './review-tables.ts'

let opened: TestAccounts

const now = '2026-01-01T00:00:00.000Z'
const later = '2026-01-01T00:15:00.000Z'

async function addQueue(traceIds: readonly string[]) {
  const { projectId, members } = await addTenant(opened.accounts)
  const queue: ReviewQueueRow = {
    ...{ id: newOrderedId(), project_id: projectId, name: 'Refunds', instructions: '' },
    ...{ score_name: 'Helpful', evaluator_id: null, filters: '{}' },
    ...{ created_by: members.Owner.id, created_at: now },
  }
  await opened.accounts.reviewQueues.insert(queue, traceIds)
  return { queue, projectId, ana: members.Owner.id, ben: members.Editor.id }
}

describe.each(engines)('review queues on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('are found and removed only within their project, with their traces', async () => {
    const { reviewQueues } = opened.accounts
    const [own, other] = [await addQueue(['a', 'b']), await addQueue(['c'])]
    const { id } = own.queue
    expect(await reviewQueues.list(own.projectId)).toEqual([own.queue])
    for (const found of [
      await reviewQueues.find(other.projectId, id),
      await reviewQueues.findItem(other.projectId, id, 1),
      await reviewQueues.remove(other.projectId, id),
    ])
      expect(found).toBeUndefined()
    expect(await reviewQueues.counts(other.projectId, [id])).toEqual([])
    expect(await reviewQueues.counts(own.projectId, [id])).toEqual([
      { queue_id: id, status: 'open', count: 2 },
    ])
    expect(await reviewQueues.remove(own.projectId, id)).toEqual(own.queue)
    expect(await reviewQueues.findItem(own.projectId, id, 1)).toBeUndefined()
    expect(await reviewQueues.list(other.projectId)).toEqual([other.queue])
  })

  test('keep the order of as many traces as a queue may have', async () => {
    const ids = Array.from({ length: 1000 }, (_, n) => `trace ${n}`)
    const { queue, projectId, ana } = await addQueue(ids)
    const rows = await opened.accounts.reviewQueues.listFree(
      ...([projectId, queue.id, 998, { userId: ana, now }, 9] as const),
    )
    expect(rows.map(({ trace_id }) => trace_id)).toEqual(['trace 998', 'trace 999'])
  })

  test('hold a trace for one person until it is released or the time is over', async () => {
    const { reviewQueues } = opened.accounts
    const { queue, projectId, ana, ben } = await addQueue(['a', 'b'])
    const hold = (userId: string, at = now) =>
      reviewQueues.hold(projectId, queue.id, 1, { userId, now: at, until: later })
    const free = async (userId: string, at = now) =>
      (await reviewQueues.listFree(projectId, queue.id, 0, { userId, now: at }, 9)).length
    expect(await hold(ana)).toBe(true)
    expect([await hold(ben), await hold(ana)]).toEqual([false, true])
    expect([await free(ana), await free(ben), await free(ben, later)]).toEqual([2, 1, 2])
    await reviewQueues.release(projectId, queue.id, ana, 1)
    expect(await free(ben)).toBe(1)
    await reviewQueues.release(projectId, queue.id, ana, undefined)
    expect(await free(ben)).toBe(2)
    await reviewQueues.setReviewed(projectId, queue.id, 1, ana, now)
    expect(await hold(ana)).toBe(false)
    await reviewQueues.setRemoved(projectId, queue.id, [1, 2])
    expect(await free(ana)).toBe(0)
    expect(await reviewQueues.findItem(projectId, queue.id, 1)).toMatchObject({
      ...{ status: 'reviewed', reviewed_by: ana, reviewed_at: now, held_by: null },
    })
  })
})
