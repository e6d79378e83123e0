import { Unavailable } from '../../../platform/failure.ts'

/*
 * SQLite's errors, as the rest of the server is to see them, and their way from a worker thread.
 */

/** An error as it crosses threads: what is lost of an error by cloning is told beside it. */
export interface Trouble {
  readonly message: string
  readonly stack: string | undefined
  /** Null for a defect; else nothing is wrong with the request, and this is when to try again. */
  readonly retryAfterSeconds: number | null
  /** Whether a file was found damaged, or is none of SQLite. */
  readonly isDamage: boolean
}

/** Primary result codes of SQLite that pass, or that a person can mend, while the request stays good. */
const passing = new Map<number, readonly [retryAfterSeconds: number, sentence: string]>([
  [5, [1, 'The telemetry file is locked by another program.']],
  [6, [1, 'The telemetry file is locked.']],
  [7, [5, 'There is not enough memory for the telemetry store.']],
  [8, [10, 'The telemetry file cannot be written.']],
  [10, [5, 'The disk of the telemetry store does not answer.']],
  [13, [10, 'The disk of the telemetry store is full.']],
  [14, [5, 'The telemetry file cannot be opened.']],
])

export function troubleOf(error: unknown): Trouble {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const code = resultCode(error)
  const known = code === undefined ? undefined : passing.get(code)
  const found = { stack, isDamage: isDamage(error) }
  if (known === undefined) return { ...found, message, retryAfterSeconds: null }
  const [retryAfterSeconds, sentence] = known
  return { ...found, message: `${sentence} (${message})`, retryAfterSeconds }
}

export function errorOf({ message, stack, retryAfterSeconds }: Trouble): Error {
  const error =
    retryAfterSeconds === null ? new Error(message) : new Unavailable(message, retryAfterSeconds)
  if (stack !== undefined) error.stack = stack
  return error
}

/** Whether it tells that a file of SQLite is damaged, or is none. */
export function isDamage(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown }
  const code = resultCode(error)
  return code === corrupt || code === noDatabase || errcode === shortRead
}

const corrupt = 11
const noDatabase = 26
/** The file ends before what is in it. */
const shortRead = 522

/** The lowest byte of the extended result code. */
function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}
