import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runFor } from '../../platform/current-requester.ts'
import { Unavailable } from '../../platform/failure.ts'
import type { Requester } from '../../platform/requester.ts'
import { openFairConnections } from './fair-connections.ts'

const enoughMs = 60_000

const runAs = <T>(requester: Requester, work: () => Promise<T>) =>
  new Promise<T>((resolve, reject) => {
    runFor(requester, () => void work().then(resolve, reject))
  })

test('a requester with many statements delays those of another by few', async () => {
  const take = openFairConnections(2, enoughMs)
  const order: string[] = []
  const use = async (name: string) => {
    const giveBack = await take()
    await sleep(1)
    order.push(name)
    giveBack()
  }
  const busy = Array.from({ length: 100 }, () => runAs(['network', 'busy'], () => use('busy')))
  const quiet = [1, 2, 3].map(() => runAs(['network', 'quiet'], () => use('quiet')))
  await Promise.all([...busy, ...quiet])
  expect(order).toHaveLength(103)
  expect(order.lastIndexOf('quiet')).toBeLessThan(20)
})

test('statements wait for a connection, and one that waits too long is refused and leaves nothing behind', async () => {
  const take = openFairConnections(1, 20)
  const giveBack = await take()
  await expect(take()).rejects.toThrow(Unavailable)
  giveBack()
  const giveBackAgain = await take()
  const next = take()
  giveBackAgain()
  ;(await next)()
})

test('a requester uses half of the connections at most, and gets one more for each that it gives back', async () => {
  const take = openFairConnections(4, enoughMs)
  let taken = 0
  const takeAs = (name: string) =>
    runAs(['network', name], async () => {
      const giveBack = await take()
      taken += 1
      return giveBack
    })
  const busy = [1, 2, 3].map(() => takeAs('busy'))
  const [first] = await Promise.all(busy.slice(0, 2))
  await takeAs('quiet')
  expect(taken).toBe(3)
  first?.()
  await busy[2]
  expect(taken).toBe(4)
})
