import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { serveCalls } from '../src/platform/deadline-process.ts'

/*
 * A process for tests that returns its input; some inputs make it fail.
 */

let calls = 0
let largestMessage = 0
process.on('message', (message: { readonly chunk?: Uint8Array }) => {
  largestMessage = Math.max(largestMessage, message.chunk?.byteLength ?? 0)
})
serveCalls(async (input: string, buffers): Promise<string> => {
  if (input === 'buffers') {
    const hashes = buffers.map((one) => createHash('sha256').update(one).digest('hex'))
    return JSON.stringify({ hashes, largestMessage })
  }

  if (input === 'loop') for (;;);
  if (input.startsWith('busy ')) {
    const end = performance.now() + Number(input.slice('busy '.length))
    while (performance.now() < end);
  }
  if (input === 'hold 150 MB') {
    const held = Array.from({ length: 150 }, () => Array.from({ length: 2 ** 17 }, () => 0.5))
    return String(held.length)
  }
  if (input.startsWith('connect ')) {
    await once(connect(Number(input.slice('connect '.length)), '127.0.0.1'), 'connect')
    for (;;);
  }
  if (input.startsWith('crash')) {
    setImmediate(function crash() {
      throw new TypeError(input)
    })
    return await new Promise(() => {})
  }
  if (input === 'exit') process.kill(process.pid, 'SIGKILL')
  if (input.startsWith('throw')) throw new TypeError(input)
  if (input.startsWith('grow')) grow(input)
  // oxlint-disable-next-line node/no-process-env -- the test checks that it has no secrets
  if (input === 'environment') return Object.keys(process.env).join()
  if (input === 'killed first') return readFileSync('/proc/self/oom_score_adj', 'utf8').trim()
  calls += 1
  return input === 'count' ? String(calls) : input
})

/** Takes memory until the process is ended. */
function grow(input: string): never {
  if (input === 'grow one') for (const held: string[] = []; ; ) held.push(input)
  if (input === 'grow outside of the heap')
    for (const held: Buffer[] = []; ; ) held.push(Buffer.alloc(2 ** 20, 1))
  for (const held: string[][] = []; ; ) held.push(Array.from({ length: 1e5 }, () => input))
}
