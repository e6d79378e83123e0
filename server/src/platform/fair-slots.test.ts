import { describe, expect, test } from 'vitest'
import { Unavailable } from './failure.ts'
import { type FairSlots, openFairSlots } from './fair-slots.ts'

const never = new AbortController().signal
const open = (waitingMax = 100) =>
  openFairSlots({ runningMax: 2, waitingMax, refusal: 'Too many wait.' })

/** Runs a task until `finish` is called. */
function hold(slots: FairSlots, owner: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { done: slots({ owner, signal: never }, () => promise), finish: resolve }
}

describe('tasks', () => {
  test('run a few at once; further ones run as those end, whether or not they fail', async () => {
    const slots = open()
    let running = 0
    let most = 0
    const task = async (n: number) => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
      if (n % 3 === 0) throw new Error('failed')
      return n
    }
    const waiter = { owner: 'a', signal: never }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => slots(waiter, () => task(n))),
    )
    expect(most).toBe(2)
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 20 }, (_, n) => n % 3 !== 0),
    )
  })

  test('of an owner with few run before those of an owner with many', async () => {
    const slots = open()
    const order: string[] = []
    const send = (owner: string) =>
      slots({ owner, signal: never }, async () => {
        order.push(owner)
        await new Promise(setImmediate)
      })
    const all = [...Array.from({ length: 50 }, () => send('busy')), send('quiet')]
    await Promise.all(all)
    expect(order.indexOf('quiet')).toBeLessThan(5)
  })

  test('of an owner whose tasks took long run after those of others', async () => {
    const slots = open()
    await slots({ owner: 'slow', signal: never }, async () => {
      const startedAt = performance.now()
      while (performance.now() - startedAt < 10) await new Promise(setImmediate)
    })
    const running = [hold(slots, 'other'), hold(slots, 'other')]
    const order: string[] = []
    const send = (owner: string) =>
      slots({ owner, signal: never }, () => Promise.resolve(order.push(owner)))
    const waiting = [send('slow'), send('quick')]
    for (const { finish } of running) finish()
    await Promise.all(waiting)
    expect(order).toEqual(['quick', 'slow'])
  })

  test('of the owner with the most are refused, newest first, when others need the room', async () => {
    const slots = open(4)
    const running = [hold(slots, 'busy'), hold(slots, 'busy')]
    const outcomes: string[] = []
    const send = (owner: string, name: string) =>
      slots({ owner, signal: never }, () => Promise.resolve()).then(
        () => outcomes.push(`${name} ran`),
        (error: unknown) => outcomes.push(`${name} ${error instanceof Unavailable}`),
      )
    const waiting = ['1', '2', '3', '4', '5'].map((n) => send('busy', n))
    await waiting[4]
    expect(outcomes, 'its own are refused at the end of the queue').toEqual(['5 true'])
    const quiet = [send('quiet', 'a'), send('quiet', 'b'), send('quiet', 'c')]
    await Promise.all([waiting[3], waiting[2], quiet[2]])
    expect(outcomes.toSorted()).toEqual(['3 true', '4 true', '5 true', 'c true'])
    for (const { finish } of running) finish()
    await Promise.all([...waiting, ...quiet, ...running.map(({ done }) => done)])
    expect(outcomes.slice(4).toSorted()).toEqual(['1 ran', '2 ran', 'a ran', 'b ran'])
  })

  test('of a client that has gone do not run, and leave their place', async () => {
    const slots = open(1)
    const running = [hold(slots, 'a'), hold(slots, 'a')]
    const client = new AbortController()
    let hasRun = false
    const work = () => {
      hasRun = true
      return Promise.resolve()
    }
    const gone = slots({ owner: 'a', signal: client.signal }, work)
    client.abort(new Error('the client has gone'))
    await expect(gone).rejects.toThrow('the client has gone')
    await expect(slots({ owner: 'a', signal: client.signal }, work)).rejects.toThrow('has gone')
    const next = slots({ owner: 'a', signal: never }, () => Promise.resolve('ran'))
    for (const { finish } of running) finish()
    expect(await next).toBe('ran')
    expect(hasRun).toBe(false)
  })
})
