import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabase, silent } from '../../../test/accounts-database.ts'
import { steppedClock } from '../../../test/clock-at.ts'
import { openTestNotifications } from '../../../test/postgres-notifications.ts'
import { maxMessageBytes, type Notifications } from '../../platform/notifications.ts'
import { type ChangeFeedTimes, openDistributedChangeFeed } from './distributed-change-feed.ts'

/*
 * Processes that share their changes over a real PostgreSQL.
 */

const clock = steppedClock(0)
let database: EmptyDatabase
const ends: (() => Promise<void>)[] = []
beforeAll(async () => {
  database = await emptyDatabase('PostgreSQL')
})
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})
afterAll(() => database.remove())

/** A process, with the messages that it sends. */
async function openProcess(
  times: Partial<ChangeFeedTimes> = {},
  changed: Partial<Notifications> = {},
) {
  const connection = openTestNotifications(database.location.databaseUrl ?? '')
  const sent: unknown[] = []
  const notifications: Notifications = {
    ...connection,
    send(topic, message) {
      sent.push(message)
      connection.send(topic, message)
    },
    ...changed,
  }
  const ports = { notifications, clock, log: silent }
  const feed = openDistributedChangeFeed(ports, { mergeMs: 20, ...times })
  ends.push(async () => {
    feed.close()
    await connection.close()
  })
  if (changed.listen === undefined) await expect.poll(connection.isConnected).toBe(true)
  return { ...feed, sent, disconnect: connection.close }
}

/** Receives nothing, and can still send. */
const deaf: Partial<Notifications> = { isConnected: () => false, listen: () => () => undefined }

/** Ends the connections of all processes. */
const cut = () =>
  database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )

type Process = Awaited<ReturnType<typeof openProcess>>

/** The ids that are reported, with `unknown` for unknown ones. */
function watch({ watchChanges }: Process, projectId: string) {
  const reported: string[] = []
  const end = watchChanges(projectId, ({ traceIds }) => {
    reported.push(...(traceIds ?? ['unknown']))
  })
  return { reported, end }
}

/** Resolves when the second process knows that the first one watches the project. */
async function untilWatched({ isWatched }: Process, projectId: string) {
  await expect.poll(() => isWatched(projectId)).toBe(true)
}

describe('changes of another process', () => {
  test('are delivered for the project that is watched, and for no other', async () => {
    const [a, b, c] = [await openProcess(), await openProcess(), await openProcess()]
    const [mine, same, other] = [watch(a, 'p'), watch(c, 'p'), watch(a, 'q')]
    await untilWatched(b, 'p')
    b.notify([
      { projectId: 'p', traceIds: ['1', '2'] },
      { projectId: 'r', traceIds: ['3'] },
    ])
    await expect
      .poll(() => [mine, same].map(({ reported }) => reported))
      .toEqual([
        ['1', '2'],
        ['1', '2'],
      ])
    expect(other.reported).toEqual([])
  })

  test('cost no message while nobody watches the project', async () => {
    const [a, b] = [await openProcess(), await openProcess()]
    watch(a, 'watched')
    await untilWatched(b, 'watched')
    b.sent.length = 0
    for (let n = 0; n < 100; n += 1) b.notify([{ projectId: 'p', traceIds: [`${n}`] }])
    b.notify([{ projectId: 'watched', traceIds: ['last'] }])
    await expect.poll(() => b.sent).toEqual([{ type: 'changed', changes: [['watched', ['last']]] }])
  })

  test('that were made just before it knew of the watcher are delivered too', async () => {
    const [a, b] = [await openProcess(), await openProcess()]
    const { reported } = watch(a, 'p')
    // Its process has not received yet that somebody watches.
    expect(b.isWatched('p')).toBe(false)
    b.notify([{ projectId: 'p', traceIds: ['early'] }])
    await expect.poll(() => reported).toEqual(['early'])
  })

  test('are delivered at once, and those that follow are merged', async () => {
    const [a, b] = [await openProcess(), await openProcess({ mergeMs: 2 ** 30 })]
    const { reported } = watch(a, 'p')
    await untilWatched(b, 'p')
    b.sent.length = 0
    b.notify([{ projectId: 'p', traceIds: ['first'] }])
    await expect.poll(() => reported).toEqual(['first'])
    for (const id of ['second', 'third']) b.notify([{ projectId: 'p', traceIds: [id] }])
    b.close()
    await expect.poll(() => reported).toEqual(['first', 'second', 'third'])
    expect(b.sent).toHaveLength(2)
  })

  test('are merged for a moment, each trace once', async () => {
    const [a, b] = [await openProcess(), await openProcess()]
    const { reported } = watch(a, 'p')
    await untilWatched(b, 'p')
    b.sent.length = 0
    for (let n = 0; n < 1_000; n += 1) b.notify([{ projectId: 'p', traceIds: [`${n % 7}`] }])
    await expect.poll(() => reported.length).toBe(7)
    expect(b.sent.length).toBe(1)
  })

  test.each([
    ['many', Array.from({ length: 5_000 }, (_, n) => `trace-${n}`)],
    ['long', Array.from({ length: 20 }, (_, n) => `${n}${'\u{1F4E6}'.repeat(64)}`)],
  ])('are unknown when their ids are too %s for a message', async (_word, traceIds) => {
    const [a, b] = [await openProcess(), await openProcess()]
    const { reported } = watch(a, 'p')
    await untilWatched(b, 'p')
    b.notify([{ projectId: 'p', traceIds }])
    await expect.poll(() => reported).toEqual(['unknown'])
  })

  test('of many projects arrive in messages within the bound', async () => {
    const [a, b] = [await openProcess(), await openProcess()]
    const ids = Array.from({ length: 40 }, (_, n) => `${n}`.padStart(36, 'p'))
    const watching = ids.map((id) => watch(a, id))
    await untilWatched(b, ids.at(-1) ?? '')
    b.sent.length = 0
    b.notify(ids.map((projectId) => ({ projectId, traceIds: ids })))
    await expect.poll(() => watching.map(({ reported }) => reported)).toEqual(ids.map(() => ids))
    const sizes = b.sent.map((message) => Buffer.byteLength(JSON.stringify(message)))
    expect(Math.max(...sizes)).toBeLessThan(maxMessageBytes)
  })

  test('are unknown after the connection was lost, and delivered again, also to somebody who watches since', async () => {
    const [a, b] = [await openProcess(), await openProcess()]
    const before = watch(a, 'p')
    await untilWatched(b, 'p')
    await cut()
    const since = watch(a, 'q')
    await expect.poll(() => before.reported).toContain('unknown')
    await untilWatched(b, 'q')
    b.notify([
      { projectId: 'p', traceIds: ['1'] },
      { projectId: 'q', traceIds: ['2'] },
    ])
    await expect.poll(() => before.reported).toContain('1')
    await expect.poll(() => since.reported).toContain('2')
  })

  test('are unknown every few seconds while the connection is lost', async () => {
    const a = await openProcess({ pollMs: 10 })
    const { reported } = watch(a, 'p')
    await a.disconnect()
    reported.length = 0
    await expect.poll(() => reported.slice(0, 3)).toEqual(['unknown', 'unknown', 'unknown'])
  })

  test('are delivered from a process that cannot be notified who watches', async () => {
    const [a, b] = [await openProcess(), await openProcess({}, deaf)]
    const { reported } = watch(a, 'p')
    b.notify([{ projectId: 'p', traceIds: ['1'] }])
    await expect.poll(() => reported).toEqual(['1'])
  })

  test('are delivered from a process that has just started', async () => {
    const a = await openProcess()
    const { reported } = watch(a, 'p')
    const b = await openProcess()
    b.notify([{ projectId: 'p', traceIds: ['first'] }])
    await expect.poll(() => reported).toEqual(['first'])
  })

  test('are delivered as long as somebody watches, and then cost no message', async () => {
    const [a, b] = [await openProcess({ renewMs: 30 }), await openProcess({ renewMs: 30 })]
    const { reported, end } = watch(a, 'p')
    await untilWatched(b, 'p')
    for (let n = 0; n < 3; n += 1) {
      const renewals = a.sent.length
      clock.pass(50_000)
      await expect.poll(() => a.sent.length).toBeGreaterThan(renewals + 1)
    }
    b.notify([{ projectId: 'p', traceIds: ['late'] }])
    await expect.poll(() => reported).toEqual(['late'])
    end()
    clock.pass(60_001)
    await expect.poll(() => b.isWatched('p')).toBe(false)
  })
})
