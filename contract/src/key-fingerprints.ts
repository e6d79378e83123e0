import { canonicalJson } from './canonical-json.ts'

/*
 * Fingerprints of encryption keys, which people compare on two screens: what is hashed, and how the hash is shown. The
 * SHA-256 between the two is computed by the server and, to check it, by a browser.
 */

export interface DeviceKeys {
  readonly id: string
  readonly sign_pub: string
  readonly kem_pub: string
}

export interface KeyOwner {
  /** Ids. */
  readonly org: string
  readonly user: string
}

/** What is hashed for the fingerprint of a person; `active` also has the active recovery keys. */
export function personFingerprintInput(
  { org, user }: KeyOwner,
  generation: number,
  active: readonly DeviceKeys[],
): string {
  const keys = active.flatMap(({ sign_pub, kem_pub }) => [sign_pub, kem_pub]).toSorted()
  return canonicalJson({ v: 1, org, user, generation, keys })
}

/** What is hashed for the fingerprint of a device. */
export function deviceFingerprintInput(
  { org, user }: KeyOwner,
  { id, sign_pub, kem_pub }: DeviceKeys,
): string {
  return canonicalJson({ v: 1, org, user, device: id, sign_pub, kem_pub })
}

export const fingerprintGroups = { person: 12, device: 8 } as const

/** The SHA-256, in hexadecimal, as groups of five digits: its remainder in decimal. */
export function formatFingerprint(hash: string, groups: number): string {
  const digits = (BigInt(`0x${hash}`) % 10n ** BigInt(5 * groups)).toString()
  return digits.padStart(5 * groups, '0').replaceAll(/\d{5}(?!$)/g, '$& ')
}
