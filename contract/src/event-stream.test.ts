import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventReader, readEvents } from './event-stream.ts'

function readIn(pieces: readonly string[]): readonly string[] {
  const read = eventReader()
  return pieces.flatMap((piece) => read(piece))
}

describe('a stream of events', () => {
  test('has the same messages regardless of chunk boundaries', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ':', ' ', '{', 'é', '🌧') })
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
    const cuts = fc.array(fc.nat({ max: 8 }))
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1 })),
        lineEnd,
        cuts,
        (messages, end, sizes) => {
          const stream = messages
            .map((lines) => lines.map((one) => `data: ${one}${end}`).join(`: comment${end}`) + end)
            .join('')
          const pieces: string[] = []
          let at = 0
          for (const size of sizes) {
            pieces.push(stream.slice(at, at + size))
            at += size
          }
          // A trailing carriage return ends the line only once the next character is known.
          pieces.push(stream.slice(at), ': end\n')
          expect(readIn(pieces)).toEqual(messages.map((lines) => lines.join('\n')))
        },
      ),
    )
  })

  test('joins the data lines of one message and strips one leading space from each', () => {
    expect(readIn(['data:one\ndata:  two\n\n'])).toEqual(['one\n two'])
  })

  test('returns nothing for comments alone or an unfinished message', () => {
    expect(readIn([': still here\n\n', 'data: half\n'])).toEqual([])
  })
})

test('events are read although nobody has read the body when its Response is garbage collected', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const server = createServer((_request, response) => {
    response.writeHead(200).flushHeaders()
    setTimeout(() => response.end('data: 1\n\n'), 500)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const open = async () => readEvents((await fetch(`http://127.0.0.1:${port}`)).body!)
  const events = await open()
  for (let round = 0; round < 10; round += 1) {
    collectGarbage()
    await sleep(20)
  }
  expect(await events.next()).toEqual({ value: '1', done: false })
  server.close()
})
