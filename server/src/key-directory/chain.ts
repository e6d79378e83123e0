import { hash } from 'node:crypto'
import { canonicalJson } from '@assay/contract/canonical-json.ts'
import type { EncryptionDevice, KeyStatement } from '@assay/contract/encryption-keys.ts'
import {
  deviceFingerprintInput,
  fingerprintGroups,
  formatFingerprint,
  type KeyOwner,
  personFingerprintInput,
} from '@assay/contract/key-fingerprints.ts'

/*
 * What follows from the statements of a person: their devices, the generation and the head. The statements were checked
 * when they were added (check-statement.ts).
 */

export type Device = Omit<EncryptionDevice, 'fingerprint'>

export interface Chain {
  readonly generation: number
  /** Of the last statement; 0 without one. */
  readonly seq: number
  readonly head: string | null
  /** By id, in the order of enrollment. */
  readonly devices: ReadonlyMap<string, Device>
  /** Of the used challenges. */
  readonly nonces: ReadonlySet<string>
}

export interface ChainBuilder {
  readonly chain: Chain
  /** `at`: when it was added. */
  add(statement: KeyStatement, hash: string, at: string): void
}

export function buildChain(): ChainBuilder {
  const devices = new Map<string, Device>()
  const nonces = new Set<string>()
  const chain = { generation: 1, seq: 0, head: null as string | null, devices, nonces }
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

export function bytesOf(statement: KeyStatement): Buffer {
  return Buffer.from(canonicalJson(statement))
}

export function hashOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url')
}

export function listActive({ devices }: Pick<Chain, 'devices'>): readonly Device[] {
  return [...devices.values()].filter(({ status }) => status === 'active')
}

export function personFingerprint(owner: KeyOwner, chain: Chain): string {
  const input = personFingerprintInput(owner, chain.generation, listActive(chain))
  return formatFingerprint(hash('sha256', input), fingerprintGroups.person)
}

export function deviceFingerprint(owner: KeyOwner, device: Device): string {
  const input = deviceFingerprintInput(owner, device)
  return formatFingerprint(hash('sha256', input), fingerprintGroups.device)
}
