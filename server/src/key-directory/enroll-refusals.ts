import { limits } from '@assay/contract/limits.ts'

const { activeDevices, keyStatements, reservedKeyStatements } = limits

/** Why a statement is refused, in the order of the checks. Clients may compare these messages: they do not change. */
export const enrollRefusals = {
  challenge:
    'The challenge is unknown, expired or used, or is not the nonce of the statement. Read the keys for a new one.',
  owner: 'user and org must be the ids of the signed-in user and the organization.',
  chain:
    'seq and prev do not continue the chain. Read the keys again: another device may have changed them.',
  full: `The chain has ${keyStatements.value - reservedKeyStatements.value} statements, and can only revoke devices or reset.`,
  'completely full': `The chain has ${keyStatements.value} statements, the most it can have.`,
  first: 'The first statement must enroll a device or add a recovery key.',
  'signs itself': 'The first statement and a reset must have their own device in by.',
  'acting device': 'The device in by is not an active device of yours.',
  'rotated device': 'A rotation must be signed by the device itself: device and by must be equal.',
  'revoked device': 'The device to revoke is not an active device of yours.',
  'used device': 'The device id was used before. Choose a new one.',
  'small order': 'sign_pub or kem_pub is a point of small order.',
  'not canonical': 'sign_pub or kem_pub is not canonically encoded.',
  'used key': 'sign_pub or kem_pub was enrolled before.',
  sig_new: 'sig_new is not a signature of the statement by sign_pub.',
  kem_mac: 'kem_mac does not prove possession of the private key of kem_pub.',
  sig_by: 'sig_by is not a signature of the statement by the device in by.',
  'too many devices': `You have ${activeDevices.value} active devices, the most you can have. Revoke one first.`,
} as const

export type EnrollRefusal = keyof typeof enrollRefusals
