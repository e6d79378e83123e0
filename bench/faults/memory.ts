import type { RunningService } from '../../e2e/running-service.ts'
import { residentBytes } from './rig.ts'

/** Watches the memory of a service. `stop` returns the largest growth since the beginning, in bytes. */
export function watchMemory(service: RunningService): { stop(): number } {
  const before = residentBytes(service)
  let largest = before
  const timer = setInterval(() => {
    largest = Math.max(largest, residentBytes(service))
  }, 200)
  return {
    stop() {
      clearInterval(timer)
      return largest - before
    },
  }
}
