import { openFairSlots } from './fair-slots.ts'
import type { Requester } from './requester.ts'

/*
 * Runs a few tasks at once, one of each organization. Organizations take turns, and so do the people of each.
 */

/** Runs `work` when it is the turn of the person. Throws Unavailable when too many wait. */
export type MemberTurns = <T>(
  by: { readonly requester: Requester; readonly signal: AbortSignal },
  work: () => Promise<T>,
) => Promise<T>

export interface MemberTurnsOptions {
  readonly runningMax: number
  readonly waitingMax: number
  /** Explains the refusal to the caller. */
  readonly refusal: string
}

export function openMemberTurns({
  runningMax,
  waitingMax,
  refusal,
}: MemberTurnsOptions): MemberTurns {
  // One of each person at a time, so that the people of an organization wait for each other once.
  const inTurnOfPeople = openFairSlots({
    ...{ runningMax: Number.POSITIVE_INFINITY, runningMaxOfOwner: 1, waitingMax, refusal },
  })
  const inTurnOfOrganizations = openFairSlots({
    ...{ runningMax, runningMaxOfOwner: 1, refusal },
    waitingMax: Number.POSITIVE_INFINITY,
  })
  return ({ requester: [organizationId, userId], signal }, work) =>
    inTurnOfPeople({ owner: `${organizationId} ${userId}`, signal }, () =>
      inTurnOfOrganizations({ owner: organizationId, signal }, work),
    )
}
