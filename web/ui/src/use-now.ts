import { useSyncExternalStore } from 'react'

const second = 1000
const minute = 60 * second

/** One timer for all components. Each re-renders only when its own time has moved by a step. */
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The current time, updated every `everyMs`: the same one for all components. */
export function useNow(everyMs: number): number {
  return useSteps(() => {
    const last = lastSteps.get(everyMs) ?? 0
    const nowMs = Date.now()
    if (nowMs - last < everyMs) return last
    lastSteps.set(everyMs, nowMs)
    return nowMs
  })
}

const lastSteps = new Map<number, number>()

/** The current time for the age of an instant: each second while it is young, then every 10 seconds. */
export function useNowForAge(atMs: number): number {
  return useSteps(() => {
    const ageMs = Date.now() - atMs
    const stepMs = ageMs < minute ? second : 10 * second
    return atMs + Math.floor(ageMs / stepMs) * stepMs
  })
}

function useSteps(read: () => number): number {
  return useSyncExternalStore(subscribe, read, read)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const notify of listeners) notify()
  }, second)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
