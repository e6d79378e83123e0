import { useCallback, useSyncExternalStore } from 'react'

interface Clock {
  nowMs: number
  timer: ReturnType<typeof setInterval> | undefined
  readonly listeners: Set<() => void>
}

/** One timer shared by all components with the same interval. */
const clocks = new Map<number, Clock>()

/** The current time, updated every `everyMs`, for ages on the page. */
export function useNow(everyMs: number): number {
  const subscribe = useCallback((listener: () => void) => start(everyMs, listener), [everyMs])
  const read = () => openClock(everyMs).nowMs
  return useSyncExternalStore(subscribe, read, read)
}

function openClock(everyMs: number): Clock {
  const clock = clocks.get(everyMs) ?? { nowMs: Date.now(), timer: undefined, listeners: new Set() }
  clocks.set(everyMs, clock)
  // A clock without listeners stops; update it before it restarts.
  const isStopped = clock.listeners.size === 0
  if (isStopped && Date.now() - clock.nowMs >= everyMs) clock.nowMs = Date.now()
  return clock
}

function start(everyMs: number, listener: () => void): () => void {
  const clock = openClock(everyMs)
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
