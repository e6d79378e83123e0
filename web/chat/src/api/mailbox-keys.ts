import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { addMailboxKeys, listMailboxKeys } from '@assay/contract/mailbox-keys.ts'
import type { DeviceKeyPairs } from '../crypto/device-keys.ts'
import { EncryptionProblem } from '../crypto/encryption-problem.ts'
import { openMailbox, type Recipient, sealMailboxKey } from '../crypto/mailbox.ts'
import type { EncryptionPlace } from './encryption.ts'

/*
 * The keys of the mailboxes of encrypted conversations, sealed for devices and recovery keys.
 */

/** Whether `device` opens conversations that `lacking` does not. Both are ids. */
export async function hasMoreKeys(
  place: EncryptionPlace,
  device: string,
  lacking: string,
  signal?: AbortSignal,
): Promise<boolean> {
  return (await listLacking(place, device, lacking, signal)).length > 0
}

/**
 * Seals the keys that `from` has and `to` lacks. Can be repeated: what is done stays done. Throws an EncryptionProblem
 * if `from` does not open some of them.
 */
export async function shareMailboxes(
  place: EncryptionPlace,
  from: DeviceKeyPairs,
  to: Recipient,
): Promise<void> {
  const { slugs, owner } = place
  for (;;) {
    const keys = await listLacking(place, from.id, to.id)
    if (keys.length === 0) return
    const sealed = await Promise.all(
      keys.map(async ({ conversation_id, ...stored }) => {
        const key = { enc: stored.enc, sealed: stored.sealed, device: from.id }
        const mailbox = await openMailbox({ ...stored, key }, owner, from).catch(() => undefined)
        if (mailbox === undefined) return []
        const { enc, sealed: forDevice } = await sealMailboxKey(mailbox, owner, to)
        return [{ conversation_id, epoch: stored.epoch, enc, sealed: forDevice }]
      }),
    )
    const added = sealed.flat()
    if (added.length === 0) throw new EncryptionProblem('unreadable', notOpened)
    await call(base, addMailboxKeys, { body: { ...slugs, device: to.id, keys: added } })
  }
}

const notOpened = 'The keys of some conversations could not be opened. They stay as they were.'

async function listLacking(
  { slugs }: EncryptionPlace,
  device: string,
  lacking: string,
  signal?: AbortSignal,
) {
  const query = { ...slugs, device, lacking }
  return (await call(base, listMailboxKeys, { query }, signal && { signal })).keys
}
