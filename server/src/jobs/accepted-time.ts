/*
 * Whether the clock may be believed before something is deleted by it. A clock that was set far ahead would make young
 * data look old. There is no second clock to ask, so a jump is only accepted after it has lasted: an operator, or the
 * time service of the machine, has a day to correct it.
 */

/** In milliseconds since 1970, stored between runs. */
export interface TimeState {
  /** The last accepted time. */
  readonly acceptedAt: number
  /** Since when the clock has been ahead, and when that was last checked, both by this clock. */
  readonly ahead?: { readonly since: number; readonly checkedAt: number }
}

const dayMs = 86_400_000

/** A later time than this after the last one is a jump, or the service was off for as long. */
const jumpMs = dayMs
const jumpLastsMs = dayMs

export function checkTime(
  now: number,
  last: TimeState | undefined,
): { readonly isAccepted: boolean; readonly state: TimeState } {
  const accepted = { isAccepted: true, state: { acceptedAt: now } }
  if (last === undefined || now - last.acceptedAt <= jumpMs) return accepted
  const { acceptedAt, ahead } = last
  // A clock that jumps again starts over.
  const isSame = ahead !== undefined && now >= ahead.checkedAt && now - ahead.checkedAt <= jumpMs
  const since = isSame ? ahead.since : now
  if (now - since >= jumpLastsMs) return accepted
  return { isAccepted: false, state: { acceptedAt, ahead: { since, checkedAt: now } } }
}
