import { Unavailable } from '../../../platform/failure.ts'

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

/**
 * Primary result codes of SQLite that are temporary or can be resolved by the operator, so that the request
 * can be retried.
 */
const transientErrors = new Map<number, readonly [retryAfterSeconds: number, summary: string]>([
  [5, [1, 'The telemetry file is locked by another program.']],
  [6, [1, 'The telemetry file is locked.']],
  [7, [5, 'There is not enough memory for the telemetry store.']],
  [8, [10, 'The telemetry file cannot be written.']],
  [10, [5, 'The disk of the telemetry store does not respond.']],
  [13, [10, 'The disk of the telemetry store is full.']],
  [14, [5, 'The telemetry file cannot be opened.']],
])

/** An operator can restore the file, so clients should keep their data. */
const damaged = [60, 'A file of the telemetry store is damaged.'] as const

export function toStorageError(error: unknown): StorageError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const code = resultCode(error)
  const found = { stack, isCorruption: isCorruption(error) }
  const known = found.isCorruption ? damaged : transientErrors.get(code ?? 0)
  if (known === undefined) return { ...found, message, retryAfterSeconds: null }
  const [retryAfterSeconds, summary] = known
  return { ...found, message: `${summary} (${message})`, retryAfterSeconds }
}

export function fromStorageError({ message, stack, retryAfterSeconds }: StorageError): Error {
  const error =
    retryAfterSeconds === null ? new Error(message) : new Unavailable(message, retryAfterSeconds)
  if (stack !== undefined) error.stack = stack
  return error
}

/** Whether the error means that a file is damaged or not a database. */
export function isCorruption(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown }
  const code = resultCode(error)
  return code === corrupt || code === notADatabase || errcode === shortRead
}

const corrupt = 11
const notADatabase = 26
/** The file is truncated. */
const shortRead = 522

/** The lowest byte of the extended result code. */
function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}
