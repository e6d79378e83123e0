/*
 * Errors of SQLite that are failures of a file, its disk or the memory, and when a valid request can be retried. The
 * same for every store.
 */

export type StoreName = 'accounts' | 'telemetry'

export interface FileFailure {
  readonly message: string
  readonly retryAfterSeconds: number
}

/** Primary result codes that are temporary or can be resolved by the operator. */
const transientErrors = new Map<number, (store: StoreName) => readonly [number, string]>([
  [5, (store) => [1, `The ${store} file is locked by another program.`]],
  [6, (store) => [1, `The ${store} file is locked.`]],
  [7, (store) => [5, `There is not enough memory for the ${store} store.`]],
  [8, (store) => [10, `The ${store} file cannot be written.`]],
  [10, (store) => [5, `The disk of the ${store} store does not respond.`]],
  [13, (store) => [10, `The disk of the ${store} store is full.`]],
  [14, (store) => [5, `The ${store} file cannot be opened.`]],
])

/** An operator can restore the file, so clients should keep their data. */
export function damagedFailure(store: StoreName): FileFailure {
  return { retryAfterSeconds: 60, message: `A file of the ${store} store is damaged.` }
}

/** Undefined for a defect. */
export function findFileFailure(error: unknown, store: StoreName): FileFailure | undefined {
  if (isCorruption(error)) return damagedFailure(store)
  const found = transientErrors.get(resultCode(error) ?? 0)?.(store)
  return found && { retryAfterSeconds: found[0], message: found[1] }
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
