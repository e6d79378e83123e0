import {
  CallLost,
  type CallOptions,
  type DeadlineProcess,
  type DeadlineProcessOptions,
  openDeadlineProcess,
} from './deadline-process.ts'
import { openFairSlots } from './fair-slots.ts'
import { setNewest } from './recent-entries.ts'
import type { Waiter } from './requester.ts'

/*
 * Two processes with a deadline. A call starts in the first, for a short time. One that takes longer is repeated in the
 * second, with its whole deadline, and so are all calls of its owner until one of them was short. Somebody who always
 * sends calls that take 10 s therefore delays only others who do, and everybody else by one short time.
 *
 * Not a pool with a process for each owner: its memory would grow with the number of owners, or their number decide who
 * waits. Not a shorter deadline: long documents are read in full. The second process starts with the first long call and
 * ends when it is idle, so that the usual memory is that of one.
 */

export interface ShortCallsFirstOptions extends DeadlineProcessOptions {
  /** Of the first process. A call that needs more is repeated in the second. Default: as much as in the second. */
  readonly shortHeapMb?: number
  /** How long a call may take in the first process. */
  readonly shortMs?: number
}

/** Others wait for it, and for the process to be replaced. Nearly all documents and runs are read within it. */
const defaultShortMs = 2000

/** Beyond this, owners of long calls are forgotten, the oldest first. */
const longOwnersMax = 1000

/** `run` as in deadline-process.ts. */
export function openShortCallsFirst<Input, Output>(
  options: ShortCallsFirstOptions,
): DeadlineProcess<Input, Output> {
  const { shortMs = defaultShortMs, shortHeapMb, maxHeapMb, deadlineMs } = options
  const first = openDeadlineProcess<Input, Output>({
    ...{ ...options, deadlineMs: Math.min(shortMs, deadlineMs) },
    maxHeapMb: shortHeapMb ?? maxHeapMb,
  })
  const second = openDeadlineProcess<Input, Output>(options)
  // Callers limit how many calls wait.
  const waiting = { waitingMax: Number.POSITIVE_INFINITY, refusal: '' }
  const inTurnOfFirst = openFairSlots({ ...waiting, runningMax: 1 })
  const inTurnOfSecond = openFairSlots({ ...waiting, runningMax: 1 })
  const longOwners = new Map<string, true>()

  const isLong = (error: unknown, { endsAt = Number.POSITIVE_INFINITY }: CallOptions): boolean =>
    error instanceof CallLost &&
    (error.because === 'too late'
      ? shortMs < deadlineMs && Date.now() < endsAt
      : error.because === 'out of memory' && shortHeapMb !== undefined)

  /** Undefined for a call that belongs in the second process. */
  async function runInFirst(waiter: Waiter, input: Input, call: CallOptions) {
    if (longOwners.has(waiter.owner)) return undefined
    try {
      return { output: await first.run(waiter, input, call) }
    } catch (error) {
      if (!isLong(error, call)) throw error
      setNewest(longOwners, waiter.owner, true, longOwnersMax)
      return undefined
    }
  }

  async function runInSecond(waiter: Waiter, input: Input, call: CallOptions): Promise<Output> {
    const startedAt = performance.now()
    try {
      return await second.run(waiter, input, call)
    } finally {
      if (performance.now() - startedAt < shortMs) longOwners.delete(waiter.owner)
    }
  }

  return {
    async run(waiter, input, call = {}) {
      const done = await inTurnOfFirst(waiter, () => runInFirst(waiter, input, call))
      return done === undefined
        ? await inTurnOfSecond(waiter, () => runInSecond(waiter, input, call))
        : done.output
    },
    async close() {
      await Promise.all([first.close(), second.close()])
    },
  }
}
