import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/*
 * Small text files that survive a crash: written beside the old one, synced, then renamed.
 */

/** Durable when it returns; a crash in between leaves the file unchanged. Only its owner can read it. */
export function writeDurably(file: string, text: string): void {
  const next = `${file}.next`
  const descriptor = openSync(next, 'w', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(next, file)
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Undefined when there is no file. */
export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
