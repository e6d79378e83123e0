import type { Damage } from '../../damage.ts'

/*
 * Damage that a read found in the telemetry file or in the search index. SQLite does not report in which: it is the
 * telemetry file when the search index is intact.
 */

export interface UncertainDamage {
  /** The index must be checked. */
  onFound(): void
  onIndexIntact(): void
  onIndexRebuilt(): void
}

export function openUncertainDamage(ofTelemetry: Damage): UncertainDamage {
  let isUncertain = false
  return {
    onFound() {
      isUncertain = true
    },
    onIndexIntact() {
      if (isUncertain) ofTelemetry.onFound()
    },
    onIndexRebuilt() {
      isUncertain = false
    },
  }
}
