import {
  type SealedMessage,
  type SealedPlace,
  type SealedText,
  sealedTextData,
  sealedTextVersion,
  sealingPurposes,
} from '@assay/contract/sealed-history.ts'
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'

/*
 * Seals texts for a mailbox. The service has no private half of any mailbox, so that it cannot open them.
 */

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

const encode = (text: string) => new TextEncoder().encode(text)

/** `mailbox`: its public key, in base64url. The same text is sealed differently each time. */
export async function sealText(text: string, mailbox: string, place: SealedPlace): Promise<string> {
  const key = Uint8Array.from(Buffer.from(mailbox, 'base64url'))
  const recipientPublicKey = await suite.kem.deserializePublicKey(key.buffer)
  const sender = { recipientPublicKey, info: encode(sealingPurposes.text) }
  const { enc, ct } = await suite.seal(sender, encode(text), encode(sealedTextData(place)))
  const parts = [Uint8Array.of(sealedTextVersion), new Uint8Array(enc), new Uint8Array(ct)]
  return Buffer.concat(parts).toString('base64url')
}

/** As it is stored: JSON. */
export async function sealTitle(
  title: string,
  conversation: string,
  { epoch, mailbox_pub }: { readonly epoch: number; readonly mailbox_pub: string },
): Promise<string> {
  const place = { conversation, message: null, parent: null, role: 'title', epoch } as const
  const stored: SealedText = { epoch, sealed: await sealText(title, mailbox_pub, place) }
  return JSON.stringify(stored)
}

export function sealMessage(
  message: SealedMessage,
  mailbox: string,
  place: SealedPlace,
): Promise<string> {
  return sealText(JSON.stringify(message), mailbox, place)
}
