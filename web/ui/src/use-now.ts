import { useCallback, useSyncExternalStore } from 'react'

interface Clock {
  nowMs: number
  timer: ReturnType<typeof setInterval> | undefined
  readonly listeners: Set<() => void>
}

/** One timer for all who use the same interval. */
const clocks = new Map<number, Clock>()

/** The present, updated every `everyMs`, so that ages on the page stay true. */
export function useNow(everyMs: number): number {
  const subscribe = useCallback((listener: () => void) => start(everyMs, listener), [everyMs])
  const read = () => clockOf(everyMs).nowMs
  return useSyncExternalStore(subscribe, read, read)
}

function clockOf(everyMs: number): Clock {
  const clock = clocks.get(everyMs) ?? { nowMs: Date.now(), timer: undefined, listeners: new Set() }
  clocks.set(everyMs, clock)
  // A clock without listeners stands still; here it is set before it starts again.
  const isStopped = clock.listeners.size === 0
  if (isStopped && Date.now() - clock.nowMs >= everyMs) clock.nowMs = Date.now()
  return clock
}

function start(everyMs: number, listener: () => void): () => void {
  const clock = clockOf(everyMs)
  const tick = () => {
    clock.nowMs = Date.now()
    for (const notify of clock.listeners) notify()
  }
  clock.listeners.add(listener)
  clock.timer ??= setInterval(tick, everyMs)
  return () => {
    clock.listeners.delete(listener)
    if (clock.listeners.size > 0) return
    clearInterval(clock.timer)
    clock.timer = undefined
  }
}
