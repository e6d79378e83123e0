import { limits } from './limits.ts'

/*
 * Why the service refuses key statements and epochs. Clients compare these messages: they do not change.
 */

const { activeDevices, keyStatements, reservedKeyStatements } = limits

/** Of `ENROLL_FAILED`, in the order of the checks. */
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

/** Of `CONFLICT`, where something is sealed. */
export const epochRefusals = {
  required:
    'This project keeps encrypted history only. Set up encryption in this browser, then send the message again.',
  'no device': 'You have no active device. Enroll one first.',
  'new epoch': 'The keys of this conversation are out of date. Send the message with a new epoch.',
  epoch: 'epoch must be one more than that of the conversation. Read the conversation again.',
  recipients:
    'keys must be for exactly your active devices and recovery keys. Read your keys again.',
  mailbox: 'mailbox_pub is not a valid key.',
} as const

export type EpochRefusal = keyof typeof epochRefusals
