import { openMemberTurns } from '../platform/member-turns.ts'
import { type CallReadOptions, ReadyJson } from './call.ts'

/*
 * Objects of megabytes that are read from accounts, which happens on the event loop: few at once, organizations and the
 * people of each take turns, and other requests are served between the pieces.
 */

/** The pieces as JSON. Throws Unavailable when too many wait. */
export type ReadPieces = (
  by: Pick<CallReadOptions, 'requester' | 'signal'>,
  pieces: AsyncIterable<string>,
) => Promise<ReadyJson>

/** With accounts on another server, one can be read while another is serialized. */
const inWorkMax = 2
const waitingMax = 1000

/** `what` is plural: "runs". */
export function openPieceReads(what: string): ReadPieces {
  const inTurn = openMemberTurns({
    ...{ runningMax: inWorkMax, waitingMax },
    refusal: `Too many ${what} are being read. Try again shortly.`,
  })
  return ({ requester, signal }, pieces) =>
    inTurn({ requester, signal }, async () => {
      const parts: Uint8Array[] = []
      for await (const piece of pieces) {
        parts.push(Buffer.from(piece))
        signal.throwIfAborted()
      }
      return new ReadyJson(...parts)
    })
}
