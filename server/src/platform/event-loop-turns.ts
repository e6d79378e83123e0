import { setImmediate as nextTurn } from 'node:timers/promises'
import { type MemberTurnsOptions, openMemberTurns } from './member-turns.ts'
import type { Requester } from './requester.ts'

/*
 * Work that takes milliseconds of the event loop: one task in a turn of it, with other requests in between.
 */

/** Runs `work` when it is the turn of the person. Throws Unavailable when too many wait. */
export type EventLoopTurns = <T>(
  by: { readonly requester: Requester; readonly signal: AbortSignal },
  work: () => T,
) => Promise<T>

export function openEventLoopTurns(
  options: Pick<MemberTurnsOptions, 'waitingMax' | 'refusal'>,
): EventLoopTurns {
  const inTurn = openMemberTurns({ ...options, runningMax: 1 })
  return (by, work) =>
    inTurn(by, async () => {
      await nextTurn()
      by.signal.throwIfAborted()
      return work()
    })
}
