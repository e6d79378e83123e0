import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type DeadlineThread,
  type DeadlineThreadOptions,
  openDeadlineThread,
} from './deadline-thread.ts'
import { Unavailable } from './failure.ts'
import { openLog } from './log.ts'

const module = new URL('../../test/deadline-thread-module.ts', import.meta.url)
const opened: DeadlineThread<string, string>[] = []
let logged: string[] = []

const { signal } = new AbortController()
const acme = { owner: 'acme', signal }

function open(options: Partial<DeadlineThreadOptions> = {}): DeadlineThread<string, string> {
  logged = []
  const thread = openDeadlineThread<string, string>({
    module,
    name: 'echo thread',
    deadlineMs: 60_000,
    idleMs: 60_000,
    maxHeapMb: 64,
    log: openLog('debug', (line) => logged.push(line)),
    ...options,
  })
  opened.push(thread)
  return thread
}

afterEach(async () => {
  for (const thread of opened.splice(0)) await thread.close()
})

describe('a thread with a deadline', () => {
  test('returns its own output to each of many callers', async () => {
    const thread = open()
    const inputs = Array.from({ length: 50 }, (_, at) => `input ${at}`)
    expect(await Promise.all(inputs.map((input) => thread.run(acme, input)))).toEqual(inputs)
  })

  test('rejects with what a call threw, and runs the next', async () => {
    const thread = open()
    await expect(thread.run(acme, 'throw')).rejects.toThrow('a defect of the call')
    expect(await thread.run(acme, 'after')).toBe('after')
  })

  test('lets owners take turns', async () => {
    const thread = open()
    const finished: string[] = []
    const send = async (owner: string) => finished.push(await thread.run({ owner, signal }, owner))
    await Promise.all([...Array.from({ length: 20 }, () => send('busy')), send('quiet')])
    expect(finished.indexOf('quiet')).toBeLessThan(5)
  })

  test('drops queued calls whose client has gone', async () => {
    const thread = open()
    const client = new AbortController()
    const count = (of: AbortSignal) => thread.run({ owner: 'acme', signal: of }, 'count')
    const counted = [count(signal), count(signal)]
    const gone = count(client.signal)
    client.abort(new Error('the client has gone'))
    await expect(gone).rejects.toThrow('the client has gone')
    await expect(count(client.signal)).rejects.toThrow('the client has gone')
    expect(await Promise.all([...counted, count(signal)])).toEqual(['1', '2', '3'])
  })

  test('leaves the event loop free to answer requests during a call that does not end', async () => {
    const server = createServer((_request, response) => response.end('answered'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const thread = open()
    await thread.run(acme, 'started')
    let isRunning = true
    const call = thread.run(acme, 'loop').finally(() => {
      isRunning = false
    })
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}`)
    expect([await response.text(), isRunning]).toEqual(['answered', true])
    await Promise.all([thread.close(), expect(call).rejects.toThrow(Unavailable)])
    server.close()
  })

  test('ends a call at its deadline, and is replaced', async () => {
    const thread = open({ deadlineMs: 1000 })
    await expect(thread.run(acme, 'loop')).rejects.toThrow('The echo thread took too long.')
    expect(await thread.run(acme, 'after')).toBe('after')
  })

  test('ends a call at its own end if that is before the deadline, and is replaced', async () => {
    const thread = open()
    await thread.run(acme, 'started')
    const late = { because: 'too late', message: 'The echo thread took too long.' }
    await expect(thread.run(acme, 'loop', Date.now() + 100)).rejects.toMatchObject(late)
    expect(await thread.run(acme, 'after')).toBe('after')
  })

  test.each([
    ['exit', 'failed', 'The echo thread failed.'],
    ['grow', 'out of memory', 'The echo thread ran out of memory.'],
  ])(
    'that fails on %s rejects the call with the reason, and is replaced',
    async (input, because, message) => {
      const thread = open()
      await expect(thread.run(acme, input)).rejects.toMatchObject({ because, message })
      expect(await thread.run(acme, 'after')).toBe('after')
    },
  )

  test('is ended when it is idle, and started again for the next call', async () => {
    const thread = open({ idleMs: 1 })
    expect(await thread.run(acme, 'count')).toBe('1')
    await expect.poll(() => thread.run(acme, 'count')).toBe('1')
  })

  test('that cannot start rejects every call, and reports why', async () => {
    const thread = open({ module: new URL('./no-such-thread.ts', import.meta.url) })
    await expect(thread.run(acme, 'one')).rejects.toThrow('The echo thread did not start.')
    await expect(thread.run(acme, 'two')).rejects.toThrow('The echo thread did not start.')
    expect(logged.join()).toContain('the echo thread failed')
  })

  test('rejects the running call, queued calls and later ones when it is closed', async () => {
    const thread = open()
    const calls = [thread.run(acme, 'loop'), thread.run(acme, 'behind')]
    const outcomes = Promise.allSettled(calls)
    await thread.close()
    const refused = { status: 'rejected', reason: expect.any(Unavailable) }
    expect(await outcomes).toEqual([refused, refused])
    await expect(thread.run(acme, 'later')).rejects.toThrow(Unavailable)
  })
})
