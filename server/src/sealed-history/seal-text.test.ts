import type { SealedPlace } from '@assay/contract/sealed-history.ts'
import { Aes128Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { newDeviceKeys } from '../../../web/chat/src/crypto/device-keys.ts'
import {
  type Mailbox,
  newMailbox,
  openMailbox,
  openText,
  sealMailboxKey,
} from '../../../web/chat/src/crypto/mailbox.ts'
import { sealMessage, sealText } from './seal-text.ts'

/*
 * Sealed by the service, opened by a browser.
 */

const owner = { org: 'b3f1', user: '07aa' }
const place: SealedPlace = {
  ...{ conversation: 'c1', message: 'm2', parent: 'm1' },
  ...({ role: 'assistant', epoch: 1 } as const),
}

let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await newMailbox(1)
})

test('any text that the service seals is opened by the owner of the mailbox', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 2000 }), async (text) => {
      const sealed = await sealText(text, mailbox.mailbox_pub, place)
      expect(await openText(sealed, mailbox, place)).toBe(text)
    }),
    { numRuns: 50 },
  )
})

test('the same text is sealed differently each time, with 49 bytes more', async () => {
  const sealed = await Promise.all([1, 2].map(() => sealText('hello', mailbox.mailbox_pub, place)))
  expect(new Set(sealed).size).toBe(2)
  expect(sealed.map((one) => Buffer.from(one, 'base64url').length)).toEqual([54, 54])
  expect(Buffer.from(sealed[0] ?? '', 'base64url').includes('hello')).toBe(false)
})

test('a message is sealed with its reasoning and attachments', async () => {
  const message = {
    ...{ content: 'Hi', reasoning: 'A greeting.' },
    attachments: [{ name: 'a.txt', text: 'text' }],
  }
  const sealed = await sealMessage(message, mailbox.mailbox_pub, place)
  expect(JSON.parse(await openText(sealed, mailbox, place))).toEqual(message)
})

describe('a sealed text does not open', () => {
  test.each<[string, Partial<SealedPlace>]>([
    ['another conversation', { conversation: 'c2' }],
    ['another message', { message: 'm3' }],
    ['another parent', { parent: null }],
    ['another role', { role: 'user' }],
    ['a title', { role: 'title', message: null }],
  ])('in the place of %s', async (_what, other) => {
    const sealed = await sealText('hello', mailbox.mailbox_pub, place)
    await expect(openText(sealed, mailbox, { ...place, ...other })).rejects.toThrow(
      'belongs elsewhere',
    )
  })

  test('in another epoch, or with another mailbox', async () => {
    const sealed = await sealText('hello', mailbox.mailbox_pub, place)
    await expect(openText(sealed, { ...mailbox, epoch: 2 }, place)).rejects.toThrow()
    await expect(openText(sealed, await newMailbox(1), place)).rejects.toThrow()
  })

  test('with any bit changed, or a byte less', async () => {
    const sealed = Buffer.from(await sealText('hi', mailbox.mailbox_pub, place), 'base64url')
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      await expect(openText(changed.toString('base64url'), mailbox, place)).rejects.toThrow()
    }
    const shorter = sealed.subarray(0, -1).toString('base64url')
    await expect(openText(shorter, mailbox, place)).rejects.toThrow()
    await expect(openText('', mailbox, place)).rejects.toThrow()
  })
})

describe('the private half of a mailbox', () => {
  test('opens for each device that it was sealed for, and for no other', async () => {
    const [laptop, phone, thief] = await Promise.all([1, 2, 3].map(() => newDeviceKeys()))
    if (laptop === undefined || phone === undefined || thief === undefined) throw new Error()
    for (const device of [laptop, phone]) {
      const key = await sealMailboxKey(mailbox, owner, device)
      const opened = await openMailbox({ ...mailbox, key }, owner, device)
      expect(opened.secret).toEqual(mailbox.secret)
      await expect(openMailbox({ ...mailbox, key }, owner, thief)).rejects.toThrow('cannot open')
      const stolen = { ...thief, id: device.id }
      await expect(openMailbox({ ...mailbox, key }, owner, stolen)).rejects.toThrow('cannot open')
    }
  })

  test('does not open as that of another epoch, person or mailbox', async () => {
    const laptop = await newDeviceKeys()
    const key = await sealMailboxKey(mailbox, owner, laptop)
    const stored = { ...mailbox, key }
    await expect(openMailbox({ ...stored, epoch: 2 }, owner, laptop)).rejects.toThrow()
    await expect(openMailbox(stored, { ...owner, user: '08bb' }, laptop)).rejects.toThrow()
    const other = await newMailbox(1)
    const { mailbox_pub } = other
    await expect(openMailbox({ ...stored, mailbox_pub }, owner, laptop)).rejects.toThrow()
    // Sealed by somebody who knows all that is bound, but not the private half.
    const forged = { ...other, mailbox_pub: mailbox.mailbox_pub }
    const wrong = { ...mailbox, key: await sealMailboxKey(forged, owner, laptop) }
    await expect(openMailbox(wrong, owner, laptop)).rejects.toThrow('do not fit')
  })

  test('is not sealed for a key of small order', async () => {
    const kem_pub = Buffer.alloc(32).toString('base64url')
    await expect(sealMailboxKey(mailbox, owner, { id: 'd', kem_pub })).rejects.toThrow(
      'invalid key',
    )
  })
})

test('the library computes the first vector of RFC 9180, A.1.1', async () => {
  const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
  const [kem, kdf] = [new DhkemX25519HkdfSha256(), new HkdfSha256()]
  const suite = new CipherSuite({ kem, kdf, aead: new Aes128Gcm() })
  const pairOf = (ikm: string) => suite.kem.deriveKeyPair(bytes(ikm).buffer)
  const ekm = await pairOf('7268600d403fce431561aef583ee1613527cff655c1343f29812e66706df3234')
  const ours = await pairOf('6db9df30aa07dd42ee5e8181afdb977e538f5e1fec8a06223f33f7013e525037')
  const { enc, ct } = await suite.seal(
    {
      ...{ recipientPublicKey: ours.publicKey, ekm },
      info: bytes('4f6465206f6e2061204772656369616e2055726e'),
    },
    bytes('4265617574792069732074727574682c20747275746820626561757479'),
    bytes('436f756e742d30'),
  )
  expect(Buffer.from(enc).toString('hex')).toBe(
    '37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431',
  )
  expect(Buffer.from(ct).toString('hex')).toBe(
    'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a',
  )
})
