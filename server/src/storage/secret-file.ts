import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { newSecret } from '../platform/ids.ts'

/*
 * The master secret of a service that nobody gave one: a file in the data folder that only its owner reads. Each
 * line is a secret, the present one first; there are several only while the stored secrets are being changed over.
 */

export interface SecretSettings {
  readonly dataDir: string
  readonly secret: string | undefined
  readonly secretPrevious: string | undefined
}

/** The present secret, then those that may still be needed. Without any, one is made and kept in the file. */
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

/** From now on a new secret is the present one; a change that was begun and not ended goes on with its own. */
export function addSecret(dataDir: string): void {
  const stored = readSecretFile(dataDir)
  if (stored.length === 1) writeSecretFile(dataDir, [newSecret(32), ...stored])
}

/** When nothing is sealed with them any more. */
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

/** On the disk when it returns; a crash in between leaves the file as it was. */
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
