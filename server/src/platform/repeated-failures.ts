import { Unavailable } from './failure.ts'
import type { Log, LogFields } from './log.ts'

/*
 * Failures of work that is repeated every few seconds: while a database is unavailable, only the first one is logged.
 */

export interface RepeatedFailures {
  onFailure(error: unknown, fields?: LogFields): void
  onSuccess(): void
}

export function openRepeatedFailures(log: Log, message: string): RepeatedFailures {
  let isUnavailable = false
  return {
    onFailure(error, fields) {
      const isLogged = isUnavailable && error instanceof Unavailable
      isUnavailable = error instanceof Unavailable
      if (!isLogged) log.error(message, error, fields)
    },
    onSuccess() {
      isUnavailable = false
    },
  }
}
