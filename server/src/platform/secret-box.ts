import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'

/*
 * Encrypts secrets for the database: each with its own data key, which is encrypted under the master key (AES-256-GCM
 * both times). A sealed secret is bound to its row and column: it does not open anywhere else.
 *
 * Format: `v1.<id of the master key>.<base64url>` of nonce, sealed data key, tag; nonce, sealed secret, tag.
 */

/** The row and column that a sealed secret is bound to. */
export interface SecretPlace {
  readonly table: string
  readonly column: string
  readonly organizationId: string
  readonly rowId: string
}

export interface SecretBox {
  /** The prefix of secrets sealed with the current master key. */
  readonly prefix: string
  seal(secret: string, place: SecretPlace): string
  /** Throws `SecretNotReadable` when no known key opens it in this place, or it was changed. */
  open(sealed: string, place: SecretPlace): string
  /** The same secret under the current master key, without decrypting it. Throws like `open`. */
  rewrap(sealed: string, place: SecretPlace): string
  /** A 32-byte key for one purpose, derived from the current master secret. */
  deriveKey(purpose: string): Buffer
}

/** Its message contains neither the secret nor what was expected. */
export class SecretNotReadable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'SecretNotReadable'
  }
}

/**
 * A box whose current key comes from `secrets[0]`; the others only open older secrets.
 */
export function openSecretBox(secrets: readonly [string, ...string[]]): SecretBox {
  const [present, ...former] = secrets.map(deriveMasterKey) as [MasterKey, ...MasterKey[]]
  const keys = new Map([present, ...former].map((key) => [key.id, key]))
  const prefix = `${version}.${present.id}.`

  const unwrapDataKey = ({ keyId, wrapped }: Sealed, place: SecretPlace): Buffer => {
    const master = keys.get(keyId)
    if (master === undefined) throw new SecretNotReadable('sealed with a master key not given here')
    return decrypted(wrapped, master.key, boundTo(place, keyId))
  }

  return {
    prefix,
    seal(secret, place) {
      const dataKey = randomBytes(keyBytes)
      const wrapped = encrypted(dataKey, present.key, boundTo(place, present.id))
      const body = encrypted(Buffer.from(secret), dataKey, boundTo(place))
      return prefix + Buffer.concat([wrapped, body]).toString('base64url')
    },
    open(text, place) {
      const sealed = read(text)
      return decrypted(sealed.body, unwrapDataKey(sealed, place), boundTo(place)).toString()
    },
    rewrap(text, place) {
      const sealed = read(text)
      const dataKey = unwrapDataKey(sealed, place)
      const wrapped = encrypted(dataKey, present.key, boundTo(place, present.id))
      return prefix + Buffer.concat([wrapped, sealed.body]).toString('base64url')
    },
    deriveKey: (purpose) =>
      Buffer.from(hkdfSync('sha256', present.key, '', `assay ${purpose}`, keyBytes)),
  }
}

const version = 'v1'
const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const overheadBytes = nonceBytes + tagBytes
const wrappedBytes = keyBytes + overheadBytes

interface MasterKey {
  readonly id: string
  readonly key: Buffer
}

// The setting is long and random, so it needs no slow derivation. The id is derived separately from the key, so that
// it reveals nothing about it.
function deriveMasterKey(secret: string): MasterKey {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `assay secrets ${version} ${purpose}`, bytes))
  return { id: derive('key id', 6).toString('hex'), key: derive('master key', keyBytes) }
}

/** Additional authenticated data; includes the id of the key that wraps. */
function boundTo(place: SecretPlace, keyId = ''): Buffer {
  const { table, column, organizationId, rowId } = place
  return hash(
    'sha256',
    JSON.stringify([version, keyId, table, column, organizationId, rowId]),
    'buffer',
  )
}

interface Sealed {
  readonly keyId: string
  readonly wrapped: Buffer
  readonly body: Buffer
}

const form = /^v1\.([0-9a-f]{12})\.([A-Za-z0-9_-]+)$/

function read(text: string): Sealed {
  const [, keyId = '', encoded = ''] = form.exec(text) ?? []
  const bytes = Buffer.from(encoded, 'base64url')
  if (bytes.byteLength < wrappedBytes + overheadBytes) {
    throw new SecretNotReadable('not in the form of a sealed secret')
  }
  return { keyId, wrapped: bytes.subarray(0, wrappedBytes), body: bytes.subarray(wrappedBytes) }
}

function encrypted(plain: Buffer, key: Buffer, aad: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(aad)
  const bytes = [nonce, sealing.update(plain), sealing.final()]
  return Buffer.concat([...bytes, sealing.getAuthTag()])
}

function decrypted(sealed: Buffer, key: Buffer, aad: Buffer): Buffer {
  const nonce = sealed.subarray(0, nonceBytes)
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(aad)
  opening.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([opening.update(sealed.subarray(nonceBytes, -tagBytes)), opening.final()])
  } catch {
    throw new SecretNotReadable('altered, or moved from where it was sealed')
  }
}
