import { Unavailable } from '../../../platform/failure.ts'
import { findFileFailure, isCorruption } from '../../sqlite-errors.ts'

/*
 * SQLite errors as storage errors of the server, and their transfer from worker threads.
 */

/** An error as transferred between threads, with the members that cloning loses. */
export interface StorageError {
  readonly message: string
  readonly stack: string | undefined
  /** When to retry a valid request; null for a defect. */
  readonly retryAfterSeconds: number | null
  /** Whether a file is damaged or not a database. */
  readonly isCorruption: boolean
}

export function toStorageError(error: unknown): StorageError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const found = { stack, isCorruption: isCorruption(error) }
  const failure = findFileFailure(error, 'telemetry')
  if (failure === undefined) return { ...found, message, retryAfterSeconds: null }
  const { retryAfterSeconds } = failure
  return { ...found, message: `${failure.message} (${message})`, retryAfterSeconds }
}

export function fromStorageError({ message, stack, retryAfterSeconds }: StorageError): Error {
  const error =
    retryAfterSeconds === null ? new Error(message) : new Unavailable(message, retryAfterSeconds)
  if (stack !== undefined) error.stack = stack
  return error
}
