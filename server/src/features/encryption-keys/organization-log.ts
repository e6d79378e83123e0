import { emptyLog, newLogKey, signLog } from '../../key-directory/key-log.ts'
import { newId } from '../../platform/ids.ts'
import type { KeyLogRow } from '../../storage/accounts/key-directory-tables.ts'
import type { EncryptionKeysPorts } from './encryption-keys-ports.ts'

/*
 * The log of an organization, with a signing key of its own, which is sealed with the master secret.
 */

export async function findOrCreateLog(
  organizationId: string,
  { accounts: { keyDirectory }, box }: EncryptionKeysPorts,
): Promise<KeyLogRow> {
  const found = await keyDirectory.findLog(organizationId)
  if (found !== undefined) return found
  const { privateKey, publicKey } = newLogKey()
  const head = emptyLog(organizationId)
  const id = newId()
  await keyDirectory.insertLog({
    ...{ id, organization_id: organizationId, public_key: publicKey, ...head },
    private_key: box.seal(privateKey, placeOf({ id, organization_id: organizationId })),
    signature: signLog(head, organizationId, privateKey),
  })
  // Another request may have created it first.
  const created = await keyDirectory.findLog(organizationId)
  if (created === undefined) throw new Error('the log of the organization was not created')
  return created
}

/** The private key in the form of `signLog`. */
export function openLogKey(log: KeyLogRow, { box }: Pick<EncryptionKeysPorts, 'box'>): string {
  return box.open(log.private_key, placeOf(log))
}

function placeOf({ id, organization_id }: Pick<KeyLogRow, 'id' | 'organization_id'>) {
  return {
    ...{ table: 'key_logs', column: 'private_key' },
    ...{ organizationId: organization_id, rowId: id },
  }
}
