import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { findKemKeyProblem } from '@assay/contract/public-key-problems.ts'
import {
  type MailboxKey,
  mailboxKeyData,
  type SealedPlace,
  sealedTextData,
  sealedTextVersion,
  sealingPurposes,
} from '@assay/contract/sealed-history.ts'
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { fromBase64url, toBase64url } from './base64url.ts'
import { type DeviceKeyPairs, importPair, type KeyPair } from './device-keys.ts'
import { EncryptionProblem } from './encryption-problem.ts'

/*
 * The mailbox of an epoch of a conversation: a key pair whose private half is sealed for every active device and recovery
 * key. The server seals texts with the public half; only devices open them.
 */

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

/** An opened mailbox with its private half in bytes, to seal it for further devices. */
export interface Mailbox {
  readonly epoch: number
  readonly mailbox_pub: string
  readonly pair: KeyPair
  readonly secret: Uint8Array<ArrayBuffer>
}

export type OpeningDevice = Pick<DeviceKeyPairs, 'id' | 'kem' | 'otherKems'>

/** With its key for a device. */
export interface StoredMailbox extends Pick<Mailbox, 'epoch' | 'mailbox_pub'> {
  readonly key: Pick<MailboxKey, 'enc' | 'sealed'>
}

export interface Recipient {
  readonly id: string
  readonly kem_pub: string
}

export async function newMailbox(epoch: number): Promise<Mailbox> {
  return await toMailbox(epoch, crypto.getRandomValues(new Uint8Array(32)))
}

async function toMailbox(epoch: number, secret: Uint8Array<ArrayBuffer>): Promise<Mailbox> {
  const pair = await importPair('X25519', secret)
  const mailbox_pub = toBase64url(await crypto.subtle.exportKey('raw', pair.publicKey))
  return { epoch, mailbox_pub, pair, secret }
}

/** For a device of a verified chain. */
export async function sealMailboxKey(
  mailbox: Mailbox,
  owner: KeyOwner,
  { id, kem_pub }: Recipient,
): Promise<MailboxKey> {
  if (findKemKeyProblem(kem_pub) !== undefined) throw unreadable('A device has an invalid key.')
  const recipientPublicKey = await suite.kem.deserializePublicKey(fromBase64url(kem_pub).buffer)
  const sender = { recipientPublicKey, info: encode(sealingPurposes.mailboxKey) }
  const data = encode(mailboxKeyData(owner, mailbox, id))
  const { enc, ct } = await suite.seal(sender, mailbox.secret, data)
  return { device: id, kem_pub, enc: toBase64url(enc), sealed: toBase64url(ct) }
}

/** Throws an EncryptionProblem if the key is not for the device, or is not that of the mailbox. */
export async function openMailbox(
  stored: StoredMailbox,
  owner: KeyOwner,
  { id, kem, otherKems = [] }: OpeningDevice,
): Promise<Mailbox> {
  const { epoch, mailbox_pub, key } = stored
  const info = encode(sealingPurposes.mailboxKey)
  const data = encode(mailboxKeyData(owner, stored, id))
  for (const recipientKey of [kem, ...otherKems]) {
    const recipient = { recipientKey, enc: fromBase64url(key.enc).buffer, info }
    const secret = await suite
      .open(recipient, fromBase64url(key.sealed), data)
      .catch(() => undefined)
    if (secret === undefined) continue
    const mailbox = await toMailbox(epoch, new Uint8Array(secret))
    if (mailbox.mailbox_pub !== mailbox_pub)
      throw unreadable('The keys of the conversation do not fit.')
    return mailbox
  }
  throw unreadable('This device cannot open the keys of the conversation.')
}

/** Throws an EncryptionProblem if the text was changed, moved, or sealed for another mailbox. */
export async function openText(
  sealed: string,
  mailbox: Mailbox,
  place: Omit<SealedPlace, 'epoch'>,
): Promise<string> {
  const bytes = fromBase64url(sealed)
  if (bytes[0] !== sealedTextVersion)
    throw unreadable('This text needs a newer version of this page.')
  const info = encode(sealingPurposes.text)
  const recipient = { recipientKey: mailbox.pair, enc: bytes.slice(1, 33).buffer, info }
  const data = encode(sealedTextData({ ...place, epoch: mailbox.epoch }))
  const opened = await suite.open(recipient, bytes.slice(33), data).catch(() => undefined)
  if (opened === undefined) throw unreadable('This text was changed, or belongs elsewhere.')
  return new TextDecoder().decode(opened)
}

const encode = (text: string) => new TextEncoder().encode(text)
const unreadable = (message: string) => new EncryptionProblem('unreadable', message)
