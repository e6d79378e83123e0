import { Unavailable } from '../../../platform/failure.ts'
import type { Requester } from '../../../platform/requester.ts'

/*
 * Limits that every read has.
 *
 * Abort. When `signal` aborts, the read rejects with the reason of the signal. A read that still waits for its turn
 * is dropped; a running one is stopped.
 *
 * Deadline. A read that is not complete after `deadlineMs`, including the time it waits for its turn, rejects with
 * `ReadTimeout` and is stopped. The engine stops working on it within about 50 ms.
 *
 * Turns. Organizations with waiting reads take turns, and in them their people, so many reads of one person do not delay
 * those of others. Reads that are expected to be quick never wait for long ones.
 *
 * Refusal. A read rejects with `Unavailable` while its person, their organization or all together have as many unfinished
 * reads as `limits.unfinishedReads` and its shares allow.
 */
export interface ReadOptions {
  /** For whom it is read. Without it, the project counts as an organization of its own. */
  readonly requester?: Requester
  readonly signal?: AbortSignal
  /** 5 seconds by default. */
  readonly deadlineMs?: number
  /** Called with about the size of a large JSON result before it is read. What it throws refuses the read. */
  onLargeRead?(bytes: number): void
}

export const defaultDeadlineMs = 5000

/** The read took longer than its deadline. */
export class ReadTimeout extends Unavailable {
  /** Repeating the read does not help as it does in an outage. */
  override readonly details = { timed_out: true }

  constructor() {
    super('The query took too long. Narrow the time range or the filters, then try again.', 5)
    this.name = 'ReadTimeout'
  }
}
