import {
  openSecretBox,
  type SecretBox,
  SecretNotReadable,
  type SecretPlace,
} from '../platform/secret-box.ts'
import type { Accounts } from '../storage/accounts/connect.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { type Actor, recordEvent } from './audit.ts'

/*
 * The master key of the secrets in the accounts database: checked at start, and rotated while the service
 * runs.
 */

const canary: SecretPlace = {
  table: 'master_key',
  column: 'canary',
  organizationId: '',
  rowId: '1',
}

/**
 * The box that opens the secrets of the database. Throws a one-sentence error when none of the master secrets fits.
 * `hasFolder`: whether the installation has a data folder, whose file may have the secret.
 */
export async function openMasterKey(
  secrets: readonly [string, ...string[]],
  { sealed }: Pick<AccountStores, 'sealed'>,
  hasFolder = true,
): Promise<SecretBox> {
  const box = openSecretBox(secrets)
  await sealed.insertCanary(box.seal('open', canary))
  try {
    checkCanary(box, (await sealed.findCanary()) ?? '')
    return box
  } catch (error) {
    if (!(error instanceof SecretNotReadable)) throw error
    const place = hasFolder ? ' (or the file "secret" in the data folder)' : ''
    throw new Error(
      `The stored secrets cannot be opened with this master secret: set ASSAY_SECRET${place} to the one they were encrypted with, or set ASSAY_SECRET_PREVIOUS to that one.`,
      { cause: error },
    )
  }
}

/** Whether the stored secrets are encrypted with this master secret, and none with an earlier one. */
export function isMasterSecret(secret: string, storedCanary: string): boolean {
  const box = openSecretBox([secret])
  try {
    checkCanary(box, storedCanary)
    return true
  } catch (error) {
    if (error instanceof SecretNotReadable) return false
    throw error
  }
}

function checkCanary(box: SecretBox, stored: string): void {
  box.open(stored, canary)
}

const atOnce = 100

/**
 * Wraps all secrets under the current key of the box, in batches: when interrupted, every secret stays readable and
 * the next call continues. `onProgress` receives the number of remaining secrets. Afterwards the previous key is not needed.
 */
export async function rotateSecrets(
  box: SecretBox,
  accounts: Accounts,
  actor: Actor,
  onProgress: (remaining: number) => void,
): Promise<{ readonly rewrapped: number }> {
  const rewrapped = await accounts.sealed.countWithout(box.prefix)
  for (;;) {
    const remaining = await accounts.sealed.countWithout(box.prefix)
    onProgress(remaining)
    if (remaining === 0) break
    await accounts.transaction(async ({ sealed }) => {
      for (const secret of await sealed.listWithout(box.prefix, atOnce)) {
        // A secret that was replaced in the meantime already uses the current key.
        await sealed.replace(secret, box.rewrap(secret.sealed, secret))
      }
    })
  }
  await accounts.transaction(async (stores) => {
    // Last, so that a service without the previous key starts only when no secret needs it.
    const sealed = (await stores.sealed.findCanary()) ?? ''
    if (sealed.startsWith(box.prefix)) return
    await stores.sealed.updateCanary(box.rewrap(sealed, canary))
    await recordEvent(
      {
        action: 'master_key.rotated',
        organizationId: null,
        targetId: null,
        details: { secrets: rewrapped },
      },
      actor,
      new Date().toISOString(),
      stores,
    )
  })
  return { rewrapped }
}
