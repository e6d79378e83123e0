import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openEventLoopTurns } from './event-loop-turns.ts'
import { Unavailable } from './failure.ts'

const { signal } = new AbortController()
const by = (organizationId: string, userId = 'ann') =>
  ({ requester: [organizationId, userId], signal }) as const
const open = (waitingMax = 100) => openEventLoopTurns({ waitingMax, refusal: 'Too many.' })

test('at most one task runs in a turn of the event loop', async () => {
  const inTurn = open()
  let turn = 0
  const ranIn: number[] = []
  const tasks = Array.from({ length: 20 }, (_, n) =>
    inTurn(by(`organization ${n % 3}`, `user ${n}`), () => ranIn.push(turn)),
  )
  for (; ranIn.length < tasks.length; turn += 1) await nextTurn()
  await Promise.all(tasks)
  expect(new Set(ranIn).size).toBe(tasks.length)
})

test('an organization with many tasks, of one person or several, delays others by a few', async () => {
  const inTurn = open()
  const ran: string[] = []
  const request = (organizationId: string, userId: string) =>
    inTurn(by(organizationId, userId), () => ran.push(organizationId))
  const busy = Array.from({ length: 50 }, (_, n) => request('busy', `user ${n % 5}`))
  await Promise.all([...busy, request('quiet', 'bob')])
  expect(ran.indexOf('quiet')).toBeLessThan(3)
})

test('a task whose client has gone does not run', async () => {
  const inTurn = open()
  const client = new AbortController()
  const task = inTurn({ requester: ['a', 'ann'], signal: client.signal }, () => 'ran')
  client.abort(new Error('the client has gone'))
  await expect(task).rejects.toThrow('the client has gone')
})

test('too many tasks are refused', async () => {
  const inTurn = open(3)
  const tasks = await Promise.allSettled(Array.from({ length: 10 }, () => inTurn(by('a'), () => 1)))
  const refused = tasks.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(6)
  expect(refused[0]).toMatchObject({ reason: expect.any(Unavailable) })
})
