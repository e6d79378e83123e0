import type { EncryptionDevice, KeyStatement } from './encryption-keys.ts'

/*
 * What follows from the statements of a person: their devices, the generation and the head. The server checks each
 * statement before it adds it (server/src/key-directory/check-statement.ts), and a browser each one that it reads.
 */

export type Device = Omit<EncryptionDevice, 'fingerprint'>

export interface Chain {
  readonly generation: number
  /** Of the last statement; 0 without one. */
  readonly seq: number
  readonly head: string | null
  /** By id, in the order of enrollment. */
  readonly devices: ReadonlyMap<string, Device>
  /** Of the last statement that took keys away (`revoke`, `rotate`, `reset`); 0 without one. */
  readonly removalSeq: number
  /** Of the used challenges. */
  readonly nonces: ReadonlySet<string>
}

export interface ChainBuilder {
  readonly chain: Chain
  /** `at`: when it was added. */
  add(statement: KeyStatement, hash: string, at: string): void
}

const removals: ReadonlySet<KeyStatement['type']> = new Set(['revoke', 'rotate', 'reset'])

/** Whether such a statement takes keys away. */
export const isRemoval = (type: KeyStatement['type']): boolean => removals.has(type)

export function buildChain(): ChainBuilder {
  const devices = new Map<string, Device>()
  const nonces = new Set<string>()
  const chain = {
    generation: 1,
    seq: 0,
    head: null as string | null,
    removalSeq: 0,
    devices,
    nonces,
  }
  const revoke = (device: Device, at: string) => {
    if (device.status === 'revoked') return
    devices.set(device.id, { ...device, status: 'revoked', revoked_at: at })
  }
  return {
    chain,
    add(statement, statementHash, at) {
      chain.seq = statement.seq
      chain.head = statementHash
      nonces.add(statement.nonce)
      if (isRemoval(statement.type)) chain.removalSeq = statement.seq
      const known = devices.get(statement.device)
      if (statement.type === 'revoke') {
        if (known !== undefined) revoke(known, at)
        return
      }
      if (statement.type === 'reset') {
        chain.generation += 1
        for (const device of devices.values()) revoke(device, at)
      }
      const { device: id, label, suite, sign_pub, kem_pub } = statement
      devices.set(id, {
        id,
        type: known?.type ?? (statement.type === 'recovery' ? 'recovery' : 'device'),
        ...{ label, suite, sign_pub, kem_pub },
        status: 'active',
        created_at: known?.created_at ?? at,
        revoked_at: null,
      })
    },
  }
}

export function listActive({ devices }: Pick<Chain, 'devices'>): readonly Device[] {
  return [...devices.values()].filter(({ status }) => status === 'active')
}

export type RoleProblem =
  | 'first'
  | 'signs itself'
  | 'acting device'
  | 'rotated device'
  | 'revoked device'

/** Whether the device that signs may add the statement. Independent of its proofs. */
export function checkRoles(
  { type, device, by, seq }: KeyStatement,
  { devices }: Chain,
): RoleProblem | undefined {
  if (seq === 1 && type !== 'enroll' && type !== 'recovery') return 'first'
  if (seq === 1 || type === 'reset') return by === device ? undefined : 'signs itself'
  const isActive = (id: string) => devices.get(id)?.status === 'active'
  if (!isActive(by)) return 'acting device'
  if (type === 'rotate' && device !== by) return 'rotated device'
  return type === 'revoke' && !isActive(device) ? 'revoked device' : undefined
}
