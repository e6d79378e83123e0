import type { Log } from '../platform/log.ts'
import { restoreAdvice } from './file-errors.ts'
import type { StoreName } from './sqlite-errors.ts'

/** Whether a data file was found damaged since the start. Its damage is logged once, with what to do. */
export interface Damage {
  /** The file, once it was found damaged. */
  file(): string | undefined
  onFound(): void
}

export function openDamage(store: StoreName, file: string, log: Log): Damage {
  let isFound = false
  return {
    file: () => (isFound ? file : undefined),
    onFound() {
      if (isFound) return
      isFound = true
      log.warn(`the ${store} file is damaged. ${restoreAdvice}`, { file })
    },
  }
}
