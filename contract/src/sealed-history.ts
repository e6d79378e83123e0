import { z } from 'zod'
import { canonicalJson } from './canonical-json.ts'
import { bytes32, bytes64, deviceId, nonce } from './encryption-keys.ts'
import type { KeyOwner } from './key-fingerprints.ts'
import { limits } from './limits.ts'

/*
 * Encrypted history: what is sealed, for whom, and what a sealed text is bound to. The server seals with HPKE (RFC 9180,
 * suite 1: X25519, HKDF-SHA256, AES-256-GCM) to the mailbox of an epoch of the conversation; a browser opens.
 */

/** `info` of HPKE. */
export const sealingPurposes = {
  text: 'assay-e2e-text-v1',
  mailboxKey: 'assay-e2e-mailbox-v1',
} as const

/** A sealed text is base64url of this byte, the 32 bytes `enc` and the ciphertext. */
export const sealedTextVersion = 1

export interface SealedPlace {
  /** Ids. */
  readonly conversation: string
  /** Null in titles. */
  readonly message: string | null
  readonly parent: string | null
  readonly role: 'user' | 'assistant' | 'title'
  readonly epoch: number
}

/** The additional data of a sealed text: it opens in its own place only. */
export function sealedTextData({ conversation, message, parent, role, epoch }: SealedPlace) {
  return canonicalJson({ v: sealedTextVersion, conversation, message, parent, role, epoch })
}

/** The additional data of the private half of a mailbox, as it is sealed for a device or recovery key. */
export function mailboxKeyData(
  { org, user }: KeyOwner,
  { epoch, mailbox_pub }: { readonly epoch: number; readonly mailbox_pub: string },
  device: string,
) {
  return canonicalJson({ v: 1, org, user, epoch, mailbox_pub, device })
}

/** The private half of a mailbox, sealed for a device or recovery key. */
export const mailboxKey = z.object({
  device: deviceId,
  kem_pub: bytes32.describe('the key of the device that it is sealed for'),
  enc: bytes32,
  sealed: z.string().regex(/^[\w-]{64}$/, 'must be 48 bytes in base64url without padding'),
})
export type MailboxKey = z.output<typeof mailboxKey>

/** The mailbox of an epoch, with its key for one device. */
export const deviceMailbox = z.object({
  epoch: z.int(),
  mailbox_pub: bytes32,
  key: mailboxKey
    .omit({ device: true, kem_pub: true })
    .nullable()
    .describe('null: it is not sealed for the device'),
})
export type DeviceMailbox = z.output<typeof deviceMailbox>

export const sealedText = z.object({ epoch: z.int(), sealed: z.string() })
export type SealedText = z.output<typeof sealedText>

/** Begins an epoch of a conversation. */
export const newEpoch = z.object({
  epoch: z.int().min(1).max(limits.conversationEpochs.value),
  mailbox_pub: bytes32.describe('X25519'),
  keys: z
    .array(mailboxKey)
    .max(limits.mailboxKeys.value)
    .describe('for exactly your active devices and recovery keys'),
})
export type NewEpoch = z.output<typeof newEpoch>

/** `size`: of the file, in bytes; `truncated`: whether its text is longer. */
const attachmentFacts = {
  size: z.int().min(0).max(limits.attachmentBytes.value).optional(),
  truncated: z.boolean().optional(),
}

/** An attachment of a message in an encrypted conversation. */
export const givenAttachment = z.object({
  name: z.string().min(1, 'must not be empty').max(limits.attachmentNameLength.value),
  text: z.string().max(limits.attachmentTextLength.value),
  ...attachmentFacts,
})

/** What is sealed of a message, as JSON. */
export const sealedMessage = z.object({
  content: z.string(),
  reasoning: z.string().optional(),
  problem: z.string().optional(),
  attachments: z
    .array(z.object({ name: z.string(), text: z.string(), ...attachmentFacts }))
    .optional(),
})
export type SealedMessage = z.output<typeof sealedMessage>

/** That an active device reads a reply: its signature, with a challenge of GET /e2e/keys. */
export const readingProof = z.object({
  device: deviceId.describe('your active device'),
  challenge_id: z.string().max(64).describe('of GET /e2e/keys'),
  nonce: nonce.describe('of the same challenge'),
  signature: bytes64.describe(
    'Ed25519, by the device, over the canonical JSON (RFC 8785) of {"device", "message": the id of the reply, "nonce", "org": the id, "type": "read", "user": the id, "v": 1}',
  ),
})
export type ReadingProof = z.output<typeof readingProof>

/** What a reading proof signs. No statement about keys has this type. `message`: the id of the reply. */
export function readingProofData(
  { org, user }: KeyOwner,
  { device, nonce: challenge }: Pick<ReadingProof, 'device' | 'nonce'>,
  message: string,
) {
  return canonicalJson({ v: 1, type: 'read', org, user, device, message, nonce: challenge })
}
