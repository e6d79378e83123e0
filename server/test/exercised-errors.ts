import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/*
 * Records the declared errors that tests exercise. `npm test` collects them from all workers and fails if a
 * declared error was never exercised (tools/check-exercised-errors.ts).
 */

export interface ExercisedError {
  /** As returned by `endpointName`. */
  readonly endpoint: string
  readonly status: number
  readonly code: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null in runs of single files, where nothing is collected. */
    exercisedErrorsFolder: string | null
    /** Path of the browser; null if none is installed, which skips the tests that need one. */
    chromium: string | null
  }
}

/** Call it for every error response that a test checks, except one that random input may or may not cause. */
export function recordResponse(endpoint: string, status: number, code: string): void {
  const folder = inject('exercisedErrorsFolder')
  if (folder === null) return
  const line: ExercisedError = { endpoint, status, code }
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}
