import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { newSecret } from '../platform/ids.ts'

/*
 * The master secret of a service that is not configured with one: a file in the data folder that only its
 * owner can read. Each line is a secret, the current one first; there are several only while stored secrets
 * are being re-encrypted.
 */

export interface SecretSettings {
  readonly dataDir: string
  readonly secret: string | undefined
  readonly secretPrevious: string | undefined
}

/** The current secret, then those that may still be needed. If there is none, creates one in the file. */
export function masterSecrets(settings: SecretSettings): readonly [string, ...string[]] {
  const { dataDir, secret, secretPrevious } = settings
  const stored = readSecretFile(dataDir)
  const configured = [secret, secretPrevious].filter((one) => one !== undefined)
  const [present, ...others] = [...configured, ...stored]
  if (present !== undefined) return [present, ...others]
  const generated = newSecret(32)
  writeSecretFile(dataDir, [generated])
  return [generated]
}

/** Makes a new secret the current one; an unfinished rotation continues with its own. */
export function addSecret(dataDir: string): void {
  const stored = readSecretFile(dataDir)
  if (stored.length === 1) writeSecretFile(dataDir, [newSecret(32), ...stored])
}

/** Call when nothing is encrypted with them any more. */
export function removePreviousSecrets(dataDir: string): void {
  writeSecretFile(dataDir, readSecretFile(dataDir).slice(0, 1))
}

/** Empty when there is no file. */
function readSecretFile(dataDir: string): readonly string[] {
  try {
    const lines = readFileSync(fileIn(dataDir), 'utf8').split('\n')
    return lines.map((line) => line.trim()).filter((line) => line !== '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Durable when it returns; a crash in between leaves the file unchanged. */
function writeSecretFile(dataDir: string, secrets: readonly string[]): void {
  const next = `${fileIn(dataDir)}.next`
  const descriptor = openSync(next, 'w', 0o600)
  writeSync(descriptor, `${secrets.join('\n')}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(next, fileIn(dataDir))
  const folder = openSync(dataDir, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'secret')
}
