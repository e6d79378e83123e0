import type { AuditAction } from '@assay/contract/audit.ts'
import type { KeyStatement } from '@assay/contract/encryption-keys.ts'
import { type EnrollRefusal, enrollRefusals } from '@assay/contract/encryption-refusals.ts'
import { isRemoval } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { type Actor, recordEvent } from '../../accounts/audit.ts'
import { bytesOf, hashOf } from '../../key-directory/chain.ts'
import { openChallenge } from '../../key-directory/challenge.ts'
import { checkStatement, listUses, type Submission } from '../../key-directory/check-statement.ts'
import { appendToLog, signLog } from '../../key-directory/key-log.ts'
import { readChain } from '../../key-directory/read-chain.ts'
import { Failure } from '../../platform/failure.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { EncryptionKeysPorts } from './encryption-keys-ports.ts'
import { findOrCreateLog, openLogKey } from './organization-log.ts'

const actionOf = {
  enroll: 'encryption_key.enrolled',
  recovery: 'encryption_key.recovery_added',
  rotate: 'encryption_key.rotated',
  revoke: 'encryption_key.revoked',
  reset: 'encryption_key.reset',
} as const satisfies Readonly<Record<KeyStatement['type'], AuditAction>>

export interface AddedStatement {
  readonly device: string
  readonly head: string
  readonly seq: number
}

/** Checks the statement against the chain as it is, then stores it if the chain is still the same. */
export async function addStatement(
  owner: KeyOwner,
  submission: Submission & { readonly challenge_id: string },
  actor: Actor,
  ports: EncryptionKeysPorts,
  signal: AbortSignal,
): Promise<AddedStatement> {
  const { accounts, clock, challengeSecret } = ports
  const { statement, challenge_id: id } = submission
  const { chain } = await readChain(owner, ports, signal)
  const uses = listUses(statement)
  const used = uses.length === 0 ? new Set<string>() : await accounts.keyDirectory.listUsed(uses)
  const now = clock.now()
  const challenge = openChallenge(challengeSecret, owner, { id, nonce: statement.nonce }, now)
  const refusal = checkStatement(submission, { owner, chain, challenge, used })
  if (refusal !== undefined) throw refused(refusal)
  const bytes = bytesOf(statement)
  const row = {
    ...{ organization_id: owner.org, user_id: owner.user, seq: statement.seq },
    ...{ hash: hashOf(bytes), statement: bytes.toString() },
    ...{ sig_new: submission.sig_new, sig_by: submission.sig_by },
    created_at: now.toISOString(),
  }
  await findOrCreateLog(owner.org, ports)
  await accounts.transaction(async (stores) => {
    // Statements of an organization take turns from here on.
    const log = await stores.keyDirectory.lockLog(owner.org)
    if (log === undefined) throw new Error('the log of the organization does not exist')
    const head = await stores.keyDirectory.findHead(owner.org, owner.user)
    if ((head?.hash ?? null) !== statement.prev) throw refused('chain')
    await insertUses(uses, stores)
    await stores.keyDirectory.insertStatement(row)
    const next = appendToLog(log, row.hash)
    const signature = signLog(next, owner.org, openLogKey(log, ports))
    await stores.keyDirectory.updateLog(owner.org, { ...next, signature })
    const label = chain.devices.get(statement.device)?.label ?? statement.label
    await recordEvent(
      {
        ...{ action: actionOf[statement.type], organizationId: owner.org },
        ...{ targetId: statement.device, details: { label } },
      },
      actor,
      row.created_at,
      stores,
    )
  })
  // The rest of a reply would be sealed for keys that were just taken away.
  if (isRemoval(statement.type)) await ports.replies.stopSealed(owner.user, owner.org)
  return { device: statement.device, head: row.hash, seq: row.seq }
}

/** Another person may have enrolled the same key since the check. */
async function insertUses(
  uses: readonly string[],
  { keyDirectory }: Pick<AccountStores, 'keyDirectory'>,
): Promise<void> {
  if (uses.length > 0 && !(await keyDirectory.insertUsed(uses))) throw refused('used key')
}

const refused = (refusal: EnrollRefusal) => new Failure('ENROLL_FAILED', enrollRefusals[refusal])
