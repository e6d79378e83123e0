import type { Log } from '../../../platform/log.ts'
import { restoreAdvice } from '../../file-errors.ts'

/*
 * Whether the telemetry file is damaged. SQLite does not report which file of a read is: it is the telemetry file when
 * the search index is intact.
 */

export interface Damage {
  /** The file, once it was found damaged. */
  file(): string | undefined
  /** The telemetry file is damaged. */
  onCertain(): void
  /** The telemetry file or the search index is damaged. The index must be checked. */
  onUncertain(): void
  onIndexIntact(): void
  onIndexRebuilt(): void
}

export function openDamage(file: string, log: Log): Damage {
  let isDamaged = false
  let isUncertain = false
  const onCertain = () => {
    if (isDamaged) return
    isDamaged = true
    log.warn(`the telemetry file is damaged. ${restoreAdvice}`, { file })
  }
  return {
    file: () => (isDamaged ? file : undefined),
    onCertain,
    onUncertain() {
      isUncertain = true
    },
    onIndexIntact() {
      if (isUncertain) onCertain()
    },
    onIndexRebuilt() {
      isUncertain = false
    },
  }
}
