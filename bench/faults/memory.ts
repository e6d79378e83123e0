import type { RunningService } from '../../e2e/running-service.ts'
import { anonymousBytes } from './rig.ts'

export interface WatchedMemory {
  /** The largest growth since the beginning. */
  readonly grewBytes: number
  readonly peakBytes: number
}

/** Watches the memory of a service until `stop`. */
export function watchMemory(service: RunningService): { stop(): WatchedMemory } {
  const before = anonymousBytes(service)
  let peakBytes = before
  const timer = setInterval(() => {
    // A process that has ended has no memory.
    if (service.process.exitCode !== null || service.process.signalCode !== null) return
    peakBytes = Math.max(peakBytes, anonymousBytes(service))
  }, 200)
  return {
    stop() {
      clearInterval(timer)
      return { grewBytes: peakBytes - before, peakBytes }
    },
  }
}
