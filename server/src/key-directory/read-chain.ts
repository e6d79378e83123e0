import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KeyStatement } from '@assay/contract/encryption-keys.ts'
import { buildChain, type Chain } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { type MemberTurns, openMemberTurns } from '../platform/member-turns.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'

/** Few enough that other requests are served in between. */
const statementsPerTurn = 50

export interface ReadChainPorts {
  readonly accounts: {
    readonly keyDirectory: Pick<AccountStores['keyDirectory'], 'listStatements'>
  }
  readonly chainTurns: MemberTurns
}

/** A chain can have 700 kB, and is read on the event loop. */
export function openChainTurns(): MemberTurns {
  return openMemberTurns({
    // With accounts on another server, one can be read while another is processed.
    ...{ runningMax: 2, waitingMax: 1000 },
    refusal: 'Too many encryption keys are being read. Try again shortly.',
  })
}

export interface StoredChain {
  readonly chain: Chain
  /** `{ statement, sig_new, sig_by }` as JSON, in order. */
  readonly statements: readonly string[]
}

/** The chain of a person, as of some moment during the call. Throws Unavailable when too many wait, or the reason of the signal. */
export function readChain(
  owner: KeyOwner,
  { accounts, chainTurns }: ReadChainPorts,
  signal: AbortSignal,
): Promise<StoredChain> {
  const by = { requester: [owner.org, owner.user], signal } as const
  return chainTurns(by, () => readStatements(owner, accounts, signal))
}

async function readStatements(
  { org, user }: KeyOwner,
  { keyDirectory }: ReadChainPorts['accounts'],
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
