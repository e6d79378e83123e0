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
 * The master key of the secrets in the accounts database: that it is the right one is seen at the start, and it
 * can be changed while the service runs.
 */

const canary: SecretPlace = {
  table: 'master_key',
  column: 'canary',
  organizationId: '',
  rowId: '1',
}

/**
 * The box that opens what the database holds. Throws one sentence for people when none of the secrets is the one
 * that it was sealed with.
 */
export async function openMasterKey(
  secrets: readonly [string, ...string[]],
  { sealed }: Pick<AccountStores, 'sealed'>,
): Promise<SecretBox> {
  const box = openSecretBox(secrets)
  await sealed.insertCanary(box.seal('open', canary))
  try {
    box.open((await sealed.findCanary()) ?? '', canary)
    return box
  } catch (error) {
    if (!(error instanceof SecretNotReadable)) throw error
    throw new Error(
      'The stored secrets cannot be opened with this master secret: set ASSAY_SECRET (or the file "secret" in the data folder) to the one they were stored with, or name that one in ASSAY_SECRET_PREVIOUS.',
      { cause: error },
    )
  }
}

const atOnce = 100

/**
 * Wraps all secrets under the box's present key, some at a time: broken off anywhere, it leaves every secret
 * readable and goes on where it was. `tell` hears how many are left. The former key is not needed afterwards.
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
        // Of a secret that was entered anew in the meantime, nothing is to be done.
        await sealed.replace(secret, box.rewrap(secret.sealed, secret))
      }
    })
  }
  await accounts.transaction(async (stores) => {
    // Last of all, so that a service without the former key starts only when nothing needs it any more.
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
