import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import { addMailboxKeys, listMailboxKeys } from '@assay/contract/mailbox-keys.ts'
import type { DeviceKeyPairs } from '../crypto/device-keys.ts'
import { EncryptionProblem } from '../crypto/encryption-problem.ts'
import { openMailbox, type Recipient, sealMailboxKey } from '../crypto/mailbox.ts'
import type { EncryptionPlace } from './encryption.ts'

/*
 * The keys of the mailboxes of encrypted conversations, sealed for devices and recovery keys.
 */

/** Whether `device`, an id, opens conversations that `lacking` does not. */
export async function hasMoreKeys(
  place: EncryptionPlace,
  device: string,
  lacking: Recipient,
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
  if ((await shareOpened(place, from, to)) > 0) throw notOpened()
}

/**
 * Seals the keys that the device opens with earlier keys for the present one. Can be repeated. Returns when the earlier
 * ones open nothing else; throws an EncryptionProblem if it cannot find out.
 */
export async function resealMailboxes(
  place: EncryptionPlace,
  device: DeviceKeyPairs,
): Promise<void> {
  const unopened = await shareOpened(place, device, device)
  if (unopened >= limits.mailboxKeysAtOnce.value) throw notOpened()
}

/** Returns how many keys `from` does not open: all of them, if they are fewer than are listed at once. */
async function shareOpened(
  place: EncryptionPlace,
  from: DeviceKeyPairs,
  to: Recipient,
): Promise<number> {
  const { slugs, owner } = place
  for (;;) {
    const keys = await listLacking(place, from.id, to)
    const sealed = await Promise.all(
      keys.map(async ({ conversation_id, epoch, mailbox_pub, ...key }) => {
        const mailbox = await openMailbox({ epoch, mailbox_pub, key }, owner, from).catch(
          () => undefined,
        )
        if (mailbox === undefined) return []
        const { enc, sealed: forDevice } = await sealMailboxKey(mailbox, owner, to)
        return [{ conversation_id, epoch, enc, sealed: forDevice }]
      }),
    )
    const added = sealed.flat()
    if (added.length === 0) return keys.length
    const body = { ...slugs, device: to.id, kem_pub: to.kem_pub, keys: added }
    await call(base, addMailboxKeys, { body })
  }
}

const notOpened = () =>
  new EncryptionProblem(
    'unreadable',
    'The keys of some conversations could not be opened. They stay as they were.',
  )

async function listLacking(
  { slugs }: EncryptionPlace,
  device: string,
  { id: lacking, kem_pub }: Recipient,
  signal?: AbortSignal,
) {
  const query = { ...slugs, device, lacking, kem_pub }
  return (await call(base, listMailboxKeys, { query }, signal && { signal })).keys
}
