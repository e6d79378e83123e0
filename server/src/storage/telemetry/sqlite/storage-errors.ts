import { Unavailable } from '../../../platform/failure.ts'

/*
 * SQLite's errors, as the rest of the server is to see them, and their way from a worker thread.
 */

/** An error as it crosses threads: what is lost of an error by cloning is told beside it. */
export interface StorageError {
  readonly message: string
  readonly stack: string | undefined
  /** Null for a defect; else nothing is wrong with the request, and this is when to try again. */
  readonly retryAfterSeconds: number | null
  /** Whether a file was found damaged, or is none of SQLite. */
  readonly isCorruption: boolean
}

/** Primary result codes of SQLite that pass, or that a person can mend, while the request stays good. */
const transientErrors = new Map<number, readonly [retryAfterSeconds: number, summary: string]>([
  [5, [1, 'The telemetry file is locked by another program.']],
  [6, [1, 'The telemetry file is locked.']],
  [7, [5, 'There is not enough memory for the telemetry store.']],
  [8, [10, 'The telemetry file cannot be written.']],
  [10, [5, 'The disk of the telemetry store does not answer.']],
  [13, [10, 'The disk of the telemetry store is full.']],
  [14, [5, 'The telemetry file cannot be opened.']],
])

export function toStorageError(error: unknown): StorageError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const code = resultCode(error)
  const known = code === undefined ? undefined : transientErrors.get(code)
  const found = { stack, isCorruption: isCorruption(error) }
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

/** Whether it tells that a file of SQLite is damaged, or is none. */
export function isCorruption(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown }
  const code = resultCode(error)
  return code === corrupt || code === notADatabase || errcode === shortRead
}

const corrupt = 11
const notADatabase = 26
/** The file ends before what is in it. */
const shortRead = 522

/** The lowest byte of the extended result code. */
function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}
