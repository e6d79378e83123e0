import { parentPort } from 'node:worker_threads'
import { serveCalls } from '../src/platform/deadline-thread.ts'

/*
 * A thread for tests that returns its input; some inputs make it fail.
 */

if (parentPort === null) throw new Error('deadline-thread-module.ts must run in a worker thread.')
let calls = 0
serveCalls(parentPort, async (input: string): Promise<string> => {
  if (input === 'loop') for (;;);
  if (input === 'exit') process.exit(1)
  if (input === 'throw') throw new TypeError('a defect of the call')
  if (input === 'grow')
    for (const held: string[][] = []; ; ) held.push(Array.from({ length: 1e5 }, () => input))
  calls += 1
  return input === 'count' ? String(calls) : input
})
