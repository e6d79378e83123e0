import { join } from 'node:path'
import { newSecret } from '../platform/ids.ts'
import { readIfExists, writeDurably } from './durable-file.ts'
import { explainingErrors, restoreAdvice } from './file-errors.ts'

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

/**
 * The current secret, then those that may still be needed. If there is none, creates one in the file, unless the
 * database already has secrets under one that is lost.
 */
export function masterSecrets(
  settings: SecretSettings,
  isInUse = false,
): readonly [string, ...string[]] {
  const { dataDir, secret, secretPrevious } = settings
  const stored = readSecretFile(dataDir)
  const configured = [secret, secretPrevious].filter((one) => one !== undefined)
  const [present, ...others] = [...configured, ...stored]
  if (present !== undefined) return [present, ...others]
  if (isInUse) {
    throw new Error(
      `The file ${fileIn(dataDir)} is missing or empty, but the accounts database has secrets that are encrypted with it. ${restoreAdvice}`,
    )
  }
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

/** The secrets in the file of the folder, the current one first. Empty when there is no file. */
export function readSecretFile(dataDir: string): readonly string[] {
  const lines = explainingErrors(fileIn(dataDir), () => readIfExists(fileIn(dataDir)) ?? '')
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Durable when it returns. */
export function writeSecretFile(dataDir: string, secrets: readonly string[]): void {
  writeDurably(fileIn(dataDir), `${secrets.join('\n')}\n`)
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'secret')
}
