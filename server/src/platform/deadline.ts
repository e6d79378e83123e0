/*
 * The time that a task has, as a signal for what it calls.
 */

export interface Deadline {
  /** Aborts when the caller's signal does, and with `DeadlinePassed` when the time is up. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly endsAt: number
  isUp(): boolean
  /** Releases the timer. */
  end(): void
}

export class DeadlinePassed extends Error {}

/** A longer timer, also an infinite one, would fire at once. */
const timerMsMax = 2 ** 31 - 1

export function openDeadline(signal: AbortSignal, endsAt: number): Deadline {
  const late = new AbortController()
  const passed = () => late.abort(new DeadlinePassed())
  const remainingMs = endsAt - Date.now()
  const isTimed = remainingMs > 0 && remainingMs <= timerMsMax
  const timer = isTimed ? setTimeout(passed, remainingMs) : undefined
  if (remainingMs <= 0) passed()
  return {
    endsAt,
    signal: AbortSignal.any([signal, late.signal]),
    isUp: () => late.signal.aborted,
    end: () => clearTimeout(timer),
  }
}
