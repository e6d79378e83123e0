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

export function openDeadline(signal: AbortSignal, endsAt: number): Deadline {
  const late = new AbortController()
  const passed = () => late.abort(new DeadlinePassed())
  const remainingMs = endsAt - Date.now()
  const timer = remainingMs > 0 ? setTimeout(passed, remainingMs) : undefined
  if (timer === undefined) passed()
  return {
    endsAt,
    signal: AbortSignal.any([signal, late.signal]),
    isUp: () => late.signal.aborted,
    end: () => clearTimeout(timer),
  }
}
