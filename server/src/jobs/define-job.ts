import type { JobRow } from '../storage/accounts/service-tables.ts'
import { type JobKind, type JobProgress, parseInput } from './job-row.ts'

/*
 * The declaration of one kind of job: its input and how to run one step.
 */

export interface JobDefinition<Input, Position, Progress extends JobProgress>
  extends JobKind<Input> {
  /**
   * Does one bounded piece of work, at best a few hundred milliseconds. A step may run twice for the same
   * position, if the process is killed before its outcome is stored, so its writes must be idempotent.
   */
  readonly step: (
    job: StepInput<Input, Progress>,
    position: Position | undefined,
  ) => Promise<StepOutcome<Position, Progress>>
  /**
   * The share of time that steps may take, above 0 and up to 1; half by default. The runner pauses for the
   * rest. Use 1 for steps that mostly wait for the network.
   */
  readonly share?: number
  /** Other servers that its steps wait for; none by default. */
  readonly waitsFor?: WaitedFor
  readonly retry?: Partial<Retry>
  /**
   * The service keeps one job of this kind and runs it again this long after it has ended. Its input is
   * `{}`.
   */
  readonly everyMs?: number
}

/** Servers that others run, and that can be slow. Jobs that wait for one sort take no slots from other jobs. */
export type WaitedFor = 'models' | 'webhooks' | 'mail'

export interface StepInput<Input, Progress> {
  readonly input: Input
  readonly organizationId: string | null
  readonly projectId: string | null
  readonly createdBy: string | null
  readonly progress: Progress
  /** How often this step has been started, from 1. Starts in killed processes count too. */
  readonly attempt: number
  /**
   * Aborts when the job is canceled, the lease is lost or the service stops. A step that then rejects is repeated
   * after a stop; its results are not stored.
   */
  readonly signal: AbortSignal
}

export type StepOutcome<Position, Progress> =
  | {
      readonly position: Position
      readonly progress: Progress
      /** How long the step waited for the network, which needs no pause. */
      readonly waitedMs?: number
      /** Delays the next step for at least this long. */
      readonly resumeInMs?: number
    }
  | { readonly isDone: true; readonly progress: Progress }

/** Thrown by a step that fails with progress that counts, such as cost. The progress is stored; the position is not. */
export class StepError extends Error {
  readonly progress: JobProgress

  constructor(cause: unknown, progress: JobProgress) {
    super('a step failed', { cause })
    this.progress = progress
  }
}

export interface Retry {
  /** Which errors of a step are retried. */
  readonly on: 'unavailable' | 'any error'
  /** How often one step is started before the job fails. Starts in killed processes count too. */
  readonly maxAttempts: number
}

/** A declared kind with its types erased: positions, progress and input are the JSON of the row. */
export interface DefinedJob {
  readonly kind: string
  readonly share: number
  readonly waitsFor: WaitedFor | undefined
  readonly retry: Retry
  readonly everyMs: number | undefined
  /** Rejects when the stored input does not match the declaration. */
  readonly step: (row: JobRow, signal: AbortSignal) => Promise<StepOutcome<unknown, JobProgress>>
}

/** Retries for about an hour and a half. */
const defaultRetry: Retry = { on: 'unavailable', maxAttempts: 25 }

export function defineJob<Input, Position, Progress extends JobProgress>(
  definition: JobDefinition<Input, Position, Progress>,
): DefinedJob {
  const { kind, share = 0.5, waitsFor, retry, everyMs } = definition
  return {
    kind,
    share,
    waitsFor,
    retry: { ...defaultRetry, ...retry },
    everyMs,
    async step(row, signal) {
      const job = {
        input: parseInput(definition, row),
        organizationId: row.organization_id,
        projectId: row.project_id,
        createdBy: row.created_by,
        progress: JSON.parse(row.progress) as Progress,
        attempt: row.attempts,
        signal,
      }
      const position = row.position === null ? undefined : (JSON.parse(row.position) as Position)
      return await definition.step(job, position)
    },
  }
}
