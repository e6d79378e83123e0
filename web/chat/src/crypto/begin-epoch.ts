import { type Chain, listActive } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import type { NewEpoch } from '@assay/contract/sealed-history.ts'
import { type Mailbox, newMailbox, sealMailboxKey } from './mailbox.ts'

/** A mailbox for all active devices and recovery keys of a verified chain, with what begins its epoch. */
export async function beginEpoch(
  epoch: number,
  { owner, chain }: { readonly owner: KeyOwner; readonly chain: Chain },
): Promise<{ readonly mailbox: Mailbox; readonly encryption: NewEpoch }> {
  const mailbox = await newMailbox(epoch)
  const active = listActive(chain)
  const keys = await Promise.all(active.map((device) => sealMailboxKey(mailbox, owner, device)))
  return { mailbox, encryption: { epoch, mailbox_pub: mailbox.mailbox_pub, keys } }
}
