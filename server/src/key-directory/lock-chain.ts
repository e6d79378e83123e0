import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'

export interface ChainLockStores {
  readonly keyDirectory: Pick<AccountStores['keyDirectory'], 'lockLog' | 'findHead'>
}

/**
 * Whether the chain still ends at `seq` (0: it is empty). If so, nothing is added to it until the transaction ends. Call
 * it before the transaction locks anything else: statements lock the log first, too.
 */
export async function lockChain(
  { org, user }: KeyOwner,
  seq: number,
  { keyDirectory }: ChainLockStores,
): Promise<boolean> {
  await keyDirectory.lockLog(org)
  const head = await keyDirectory.findHead(org, user)
  return (head?.seq ?? 0) === seq
}
