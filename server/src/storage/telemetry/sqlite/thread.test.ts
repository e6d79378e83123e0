import { describe, expect, test } from 'vitest'
import { Unavailable } from '../../../platform/failure.ts'
import { startThread } from './thread.ts'

const toModule = (text: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort as port } from 'node:worker_threads'; ${text}`)}`,
  )

const start = async (text: string, fatal: Error[] = []) => {
  const received: unknown[] = []
  const ended = Promise.withResolvers<Error>()
  const thread = await startThread<unknown, unknown>(toModule(text), null, {
    onMessage: (message) => received.push(message),
    onEnd: (fault) => ended.resolve(fault),
    onFatal: (error) => fatal.push(error),
  })
  return { thread, received, ended: ended.promise, fatal }
}

describe('a thread of the store', () => {
  test('that throws ends as unavailable, and its error is reported', async () => {
    const { thread, ended, fatal } = await start(`
      port.on('message', () => { throw new RangeError('broken') })
      port.postMessage({ type: 'open' })
    `)
    expect(thread.fault).toBeUndefined()
    thread.post('anything')
    const fault = await ended
    expect(fault).toBeInstanceOf(Unavailable)
    expect(thread.fault).toBe(fault)
    expect(fatal.map(({ message }) => message)).toEqual(['broken'])
  })

  test('that exits unexpectedly is reported', async () => {
    const { thread, ended, fatal } = await start(`
      port.on('message', () => process.exit(0))
      port.postMessage({ type: 'open' })
    `)
    thread.post('anything')
    await ended
    expect(fatal.length).toBe(1)
  })

  test('that is closed is not reported', async () => {
    const { thread, received, fatal } = await start(`
      port.on('message', (message) => {
        port.postMessage(message)
        if (message === 'end') port.close()
      })
      port.postMessage({ type: 'open' })
    `)
    thread.post('before')
    await thread.end()
    expect(received).toEqual(['before', 'end'])
    expect(fatal).toEqual([])
  })

  test.each([
    ['throws', `throw new RangeError('cannot open')`],
    [
      'says that it cannot open',
      `port.postMessage({ type: 'not-open', storageError: { message: 'cannot open', retryAfterSeconds: null } })`,
    ],
  ])('that %s at its start rejects opening', async (_how, text) => {
    const fatal: Error[] = []
    await expect(start(text, fatal)).rejects.toThrow('cannot open')
    expect(fatal).toEqual([])
  })
})
