import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KeyStatement } from '@assay/contract/encryption-keys.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { buildChain, type Chain } from '../../key-directory/chain.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

/** Few enough that other requests are served in between. */
const statementsPerTurn = 100

export interface StoredChain {
  readonly chain: Chain
  /** `{ statement, sig_new, sig_by }` as JSON, in order. */
  readonly statements: readonly string[]
}

/** The chain of a person, as of some moment during the call. Throws the reason of the signal. */
export async function readChain(
  { org, user }: KeyOwner,
  { keyDirectory }: Pick<AccountStores, 'keyDirectory'>,
  signal: AbortSignal,
): Promise<StoredChain> {
  const { chain, add } = buildChain()
  const statements: string[] = []
  for (;;) {
    const rows = await keyDirectory.listStatements(org, user, chain.seq, statementsPerTurn)
    for (const row of rows) {
      add(JSON.parse(row.statement) as KeyStatement, row.hash, row.created_at)
      const { statement, sig_new, sig_by } = row
      const proofs = JSON.stringify({ sig_new, sig_by }).slice(1)
      statements.push(`{"statement":${statement},${proofs}`)
    }
    if (rows.length < statementsPerTurn) return { chain, statements }
    await nextTurn()
    signal.throwIfAborted()
  }
}
