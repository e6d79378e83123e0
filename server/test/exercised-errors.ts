import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/*
 * The refusals that the tests have met. `npm test` gathers them from all workers and fails when an endpoint
 * declares one that no test has provoked (tools/check-exercised-errors.ts).
 */

export interface ExercisedError {
  /** As `nameOf` of the contract gives it. */
  readonly endpoint: string
  readonly status: number
  readonly code: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null when nobody gathers: a run of some files alone. */
    exercisedErrorsFolder: string | null
    /** Path of the browser; null when this machine has none, and what needs it is skipped. */
    chromium: string | null
  }
}

/** To be called for every refusal a test provokes and looks at. */
export function recordResponse(endpoint: string, status: number, code: string): void {
  const folder = inject('exercisedErrorsFolder')
  if (folder === null) return
  const line: ExercisedError = { endpoint, status, code }
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}
