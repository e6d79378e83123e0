import { statSync } from 'node:fs'

/*
 * Errors at the start, for the person who repairs the file: which file, what is wrong, and what to do next.
 */

export const restoreAdvice =
  'Restore the whole data folder from a backup: see "Back up and restore" in docs/guides/run-it.md.'

/** Errors of the operating system and primary result codes of SQLite. */
const explanations = new Map<string | number, (detail: string) => string>([
  ['EACCES', notPermitted],
  ['EPERM', notPermitted],
  ['EROFS', () => readOnly],
  ['ENOSPC', () => full],
  [5, () => 'is locked by another program. Wait for a backup or another tool that uses it to end.'],
  [8, () => readOnly],
  [10, (detail) => `cannot be read (${detail}). Check the disk and the kernel log.`],
  [11, damaged],
  [13, () => full],
  [
    14,
    (detail) =>
      `cannot be opened (${detail}). Check that the user who runs Assay may write to it and its folder.`,
  ],
  [26, damaged],
])

const readOnly = 'cannot be written to: its file system or the file is read-only. Make it writable.'
const full = 'cannot be written to: the disk is full. Free some space.'

function notPermitted(detail: string): string {
  return `may not be read and written by the user who runs Assay (${detail}). Change its owner or mode.`
}

function damaged(detail: string): string {
  return `is damaged (${detail}). ${restoreAdvice}`
}

export function damagedFileError(file: string, detail: string): Error {
  return new Error(`${file} ${damaged(detail)}`)
}

/** The file is truncated; SQLite reports it as an I/O error. */
const shortRead = 522

/** An error with one line about the file; errors that are not about a file are returned unchanged. */
export function toFileError(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (error.cause !== undefined && errcode === undefined) {
    const explained = toFileError(file, error.cause)
    return explained === error.cause ? error : explained
  }
  if (isDirectory(file)) {
    return new Error(`${file} is a directory, but must be a file. ${restoreAdvice}`, {
      cause: error,
    })
  }
  const primary = typeof errcode === 'number' ? (errcode === shortRead ? 11 : errcode & 0xff) : code
  const explain = explanations.get(primary as string | number)
  if (explain === undefined) return error
  return new Error(`${file} ${explain(error.message)}`, { cause: error })
}

function isDirectory(file: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch {
    return false
  }
}

/** Runs the work on a file; its errors explain what to do. */
export function explainingErrors<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toFileError(file, error)
  }
}
