import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  type DeadlineProcess,
  type DeadlineProcessOptions,
  openDeadlineProcess,
} from './deadline-process.ts'
import { Unavailable } from './failure.ts'
import { openLog } from './log.ts'

const module = new URL('../../test/deadline-process-module.ts', import.meta.url)
const killedService = new URL('../../test/killed-service-module.ts', import.meta.url)
const opened: DeadlineProcess<string, string>[] = []
let logged: string[] = []

const { signal } = new AbortController()
const acme = { owner: 'acme', signal }

function open(options: Partial<DeadlineProcessOptions> = {}): DeadlineProcess<string, string> {
  logged = []
  const child = openDeadlineProcess<string, string>({
    module,
    name: 'echo process',
    deadlineMs: 60_000,
    idleMs: 60_000,
    maxHeapMb: 64,
    log: openLog('debug', (line) => logged.push(line)),
    ...options,
  })
  opened.push(child)
  return child
}

afterEach(async () => {
  for (const child of opened.splice(0)) await child.close()
})

describe('a process with a deadline', () => {
  test('returns its own output to each of many callers', async () => {
    const child = open()
    const inputs = Array.from({ length: 50 }, (_, at) => `input ${at}`)
    expect(await Promise.all(inputs.map((input) => child.run(acme, input)))).toEqual(inputs)
  })

  test('rejects with the kind of what a call threw, without text of the call, and runs the next', async () => {
    const child = open()
    const thrown = child.run(acme, 'throw: the text of a trace').catch((error: unknown) => error)
    const { message, stack } = (await thrown) as Error
    expect(message).toMatch(/^TypeError /)
    expect(stack).toMatch(/deadline-process-module/)
    expect(stack).not.toContain('the text of a trace')
    expect(await child.run(acme, 'after')).toBe('after')
  })

  test('lets owners take turns', async () => {
    const child = open()
    const finished: string[] = []
    const send = async (owner: string) => finished.push(await child.run({ owner, signal }, owner))
    await Promise.all([...Array.from({ length: 20 }, () => send('busy')), send('quiet')])
    expect(finished.indexOf('quiet')).toBeLessThan(5)
  })

  test('drops queued calls whose client has gone', async () => {
    const child = open()
    const client = new AbortController()
    const count = (of: AbortSignal) => child.run({ owner: 'acme', signal: of }, 'count')
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
    const child = open()
    await child.run(acme, 'started')
    let isRunning = true
    const call = child.run(acme, 'loop').finally(() => {
      isRunning = false
    })
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}`)
    expect([await response.text(), isRunning]).toEqual(['answered', true])
    await Promise.all([child.close(), expect(call).rejects.toThrow(Unavailable)])
    server.close()
  })

  test('receives large buffers whole, in messages that do not block the event loop', async () => {
    const child = open()
    const mib = 1024 * 1024
    const buffers = [3 * mib + 1, 0, mib, 5].map((length, at) => new Uint8Array(length).fill(at))
    const hashes = buffers.map((one) => createHash('sha256').update(one).digest('hex'))
    expect(JSON.parse(await child.run(acme, 'buffers', { buffers }))).toEqual({
      ...{ hashes, largestMessage: mib },
    })
    const none = JSON.parse(await child.run(acme, 'buffers')) as { hashes: unknown }
    expect(none.hashes).toEqual([])
  })

  test('ends a call at its deadline, and is replaced', async () => {
    const child = open({ deadlineMs: 1000 })
    await expect(child.run(acme, 'loop')).rejects.toThrow('The echo process took too long.')
    expect(await child.run(acme, 'after')).toBe('after')
  })

  test('that a call has ended is replaced before the next call', async () => {
    const child = open()
    await child.run(acme, 'started')
    let started = 0
    const onStart = () => {
      started += 1
    }
    subscribe('child_process', onStart)
    onTestFinished(() => void unsubscribe('child_process', onStart))
    await expect(child.run(acme, 'loop', { endsAt: Date.now() + 100 })).rejects.toThrow(Unavailable)
    expect(started).toBe(1)
    expect(await child.run(acme, 'after')).toBe('after')
    expect(started).toBe(1)
  })

  test('ends a call at its own end if that is before the deadline, and is replaced', async () => {
    const child = open()
    await child.run(acme, 'started')
    const late = { because: 'too late', message: 'The echo process took too long.' }
    await expect(child.run(acme, 'loop', { endsAt: Date.now() + 100 })).rejects.toMatchObject(late)
    expect(await child.run(acme, 'after')).toBe('after')
  })

  test.each([
    ['exit', 'failed', 'The echo process failed.'],
    ['grow', 'out of memory', 'The echo process ran out of memory.'],
    ['grow one', 'out of memory', 'The echo process ran out of memory.'],
  ])(
    'that fails on %s rejects the call with the reason, and is replaced',
    async (input, because, message) => {
      const child = open()
      await expect(child.run(acme, input)).rejects.toMatchObject({ because, message })
      expect(await child.run(acme, 'after')).toBe('after')
    },
  )

  test.runIf(process.platform === 'linux')(
    'that grows outside of its heap rejects the call with the reason, and is replaced',
    async () => {
      const child = open({ maxResidentMb: 300 })
      const lost = { because: 'out of memory' }
      await expect(child.run(acme, 'grow outside of the heap')).rejects.toMatchObject(lost)
      expect(await child.run(acme, 'after')).toBe('after')
    },
  )

  test.runIf(process.platform === 'linux')(
    'is killed rather than the service when memory is short',
    async () => {
      expect(await open().run(acme, 'killed first')).toBe('1000')
    },
  )

  test('has no secrets of the environment', async () => {
    expect(await open().run(acme, 'environment')).not.toMatch(/PATH|HOME|ASSAY|SECRET/)
  })

  test('is ended when it is idle, and started again for the next call', async () => {
    const child = open({ idleMs: 1 })
    expect(await child.run(acme, 'count')).toBe('1')
    await expect.poll(() => child.run(acme, 'count')).toBe('1')
  })

  test('ends with a service that is killed during a call that does not end', async () => {
    const server = createTcpServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const service = fork(killedService, [String(port)])
    const [connection] = (await once(server, 'connection')) as [Socket]
    const closed = once(connection.resume(), 'close')
    service.kill('SIGKILL')
    const [hadError] = await closed
    expect(hadError).toBe(false)
    server.close()
  })

  test.each([
    ['because of its module', new URL('./no-such-process.ts', import.meta.url)],
    ['at all', new URL('data:text/javascript,')],
  ])('that cannot start %s rejects every call, and reports why', async (_why, missing) => {
    const child = open({ module: missing })
    await expect(child.run(acme, 'one')).rejects.toThrow('The echo process did not start.')
    await expect(child.run(acme, 'two')).rejects.toThrow('The echo process did not start.')
    expect(logged.join()).toContain('the echo process failed')
  })

  test('that crashes is reported with the place, without text of the call', async () => {
    const child = open()
    await child.run(acme, 'started')
    const input = 'crash: the text of a trace\n    at the (second line of it)'
    await expect(child.run(acme, input)).rejects.toMatchObject({ because: 'failed' })
    await expect.poll(() => logged.join()).toContain('exit 1: file:')
    expect(logged.join()).toMatch(/ {4}at \S+ \(file:\S+deadline-process-module/)
    expect(logged.join()).not.toMatch(/the text of a trace|second line/)
  })

  test('that the system kills is reported, and one that is ended is not', async () => {
    const child = open()
    await expect(child.run(acme, 'loop', { endsAt: Date.now() + 100 })).rejects.toThrow(
      'took too long',
    )
    await expect(child.run(acme, 'exit')).rejects.toThrow('The echo process failed.')
    await expect.poll(() => logged.join()).toContain('exit SIGKILL')
    expect(logged).toHaveLength(1)
  })

  test('rejects the running call, queued calls and later ones when it is closed', async () => {
    const child = open()
    const calls = [child.run(acme, 'loop'), child.run(acme, 'behind')]
    const outcomes = Promise.allSettled(calls)
    await child.close()
    const refused = { status: 'rejected', reason: expect.any(Unavailable) }
    expect(await outcomes).toEqual([refused, refused])
    await expect(child.run(acme, 'later')).rejects.toThrow(Unavailable)
  })
})
