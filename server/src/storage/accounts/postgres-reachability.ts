import { DatabaseError } from 'pg'
import { toErrorText } from '../../platform/error-text.ts'
import type { Unavailable } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'

/*
 * Whether new connections to PostgreSQL succeed, as far as a pool finds out: the log has one line for each change. Open ones
 * show nothing: they respond also while the server refuses others. An outage of an idle service is noticed as well, because
 * jobs are polled.
 */

export interface Reachability {
  /** Of a new connection. Returns whether that counts: not where a server is only full. */
  onNotConnected(error: Unavailable): boolean
  /** To the first statement of a new connection. */
  onResponse(): void
}

/** `server`: its address without user name and password. */
export function openReachability(server: string, log: Log): Reachability {
  let problem: string | undefined
  return {
    onNotConnected(error) {
      if (isFull(error.cause)) return false
      const found = isRefusal(error.cause) ? 'refuses the service' : 'cannot be reached'
      if (found === problem) return true
      problem = found
      log.warn(`PostgreSQL ${problem}`, { server, error: toErrorText(error) })
      return true
    },
    onResponse() {
      if (problem === undefined) return
      problem = undefined
      log.warn('PostgreSQL can be reached again', { server })
    },
  }
}

/** Whether the server refuses the user or password (28), the database (3D) or the right to connect to it (42501). */
export function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:28|3D|42501)/.test(error.code ?? '')
}

/** It has too many connections, and may respond to statements on those that are open. */
export function isFull(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('53') === true
}
