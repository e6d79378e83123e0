import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, limitedList, projectSlugs, timestamp } from './fields.ts'
import { limits } from './limits.ts'

/*
 * The key directory of encrypted history: per user and organization, one append-only chain of signed statements about
 * the keys of the user's devices. Binary values are canonical base64url without padding.
 */

export const encryptedHistoryModes = ['off', 'optional', 'required'] as const

/** The last character of canonical base64url has no bits beyond the last byte. */
export const bytes32 = z
  .string()
  .regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/, 'must be 32 bytes in base64url without padding')
export const bytes64 = z
  .string()
  .regex(/^[\w-]{85}[AQgw]$/, 'must be 64 bytes in base64url without padding')
export const nonce = z
  .string()
  .min(22, 'must have at least 16 bytes')
  .max(128)
  .regex(
    /^(?:[\w-]{4})*(?:[\w-]{2}[AEIMQUYcgkosw048]|[\w-][AQgw])?$/,
    'must be base64url without padding',
  )

export const deviceId = z
  .string()
  .regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, 'must be a UUID in lower case')
  .describe('chosen by the client')

/** Not trimmed: the signature covers it as it was sent. */
const deviceLabel = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.deviceLabelLength.value)
  // The bidirectional ones could make the label of one device look like that of another.
  .refine(
    (text) => !/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(text),
    'must not contain control characters',
  )

const statementMembers = {
  v: z.literal(1),
  seq: z.int().min(1).describe('1 in the first, counts on over generations'),
  prev: bytes32.nullable().describe('the hash of the previous statement; null in the first'),
  user: id,
  org: id.describe('the id, not the slug'),
  device: deviceId,
  label: deviceLabel,
  suite: z
    .literal(1)
    .describe('1: X25519, HKDF-SHA256 and AES-256-GCM (HPKE, RFC 9180), and Ed25519'),
  nonce: nonce.describe('that of the challenge'),
  by: deviceId.describe(
    'the active device that signs; the first statement and a reset name themselves',
  ),
  created_at: timestamp.max(32),
} as const

/** All members are required, and there are no others. Its bytes are its canonical form (RFC 8785) in UTF-8. */
export const keyStatement = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...statementMembers,
      type: z.enum(['enroll', 'rotate', 'recovery', 'reset']),
      sign_pub: bytes32.describe('Ed25519'),
      kem_pub: bytes32.describe('X25519'),
    }),
    z.strictObject({
      ...statementMembers,
      type: z.literal('revoke'),
      sign_pub: z.null(),
      kem_pub: z.null(),
    }),
  ])
  .meta({ id: 'KeyStatement' })
export type KeyStatement = z.output<typeof keyStatement>

const encryptionDevice = z
  .object({
    id: deviceId,
    type: z.enum(['device', 'recovery']),
    label: z.string(),
    suite: z.literal(1),
    sign_pub: bytes32,
    kem_pub: bytes32,
    status: z.enum(['active', 'revoked']),
    created_at: timestamp,
    revoked_at: timestamp.nullable(),
    fingerprint: z.string().describe('8 groups of 5 digits'),
  })
  .meta({ id: 'EncryptionDevice' })
export type EncryptionDevice = z.output<typeof encryptionDevice>

const signedStatement = z.object({
  statement: keyStatement,
  sig_new: bytes64.nullable(),
  sig_by: bytes64,
})
export type SignedKeyStatement = z.output<typeof signedStatement>

const head = bytes32.nullable().describe('the hash of the last statement; null without one')

const keyDirectory = z.object({
  org: z.string().describe('the slug'),
  org_id: id,
  project: z.string().describe('the slug'),
  project_id: id,
  policy: z.object({ mode: z.enum(encryptedHistoryModes) }),
  me: z.object({
    user_id: id,
    generation: z.int().describe('1, and one more with each reset'),
    head,
    fingerprint: z.string().describe('12 groups of 5 digits, of the active keys'),
    devices: limitedList(encryptionDevice, 'keyStatements'),
    statements: limitedList(signedStatement, 'keyStatements'),
  }),
  members: z
    .array(z.object({ user_id: id, head, devices: limitedList(encryptionDevice, 'activeDevices') }))
    .max(0)
    .describe('empty: conversations are not shared'),
  challenge: z.object({
    id: z.string(),
    nonce,
    kem_pub: bytes32.describe('X25519'),
    expires_at: timestamp,
  }),
  log_head: z
    .object({
      size: z.int().describe('statements of all users of the organization'),
      hash: bytes32,
      signature: bytes64,
      key_id: bytes32.describe('SHA-256 of public_key'),
      public_key: bytes32.describe('Ed25519'),
    })
    .describe('of the log of the organization: refuse one that is older than the last one seen'),
})

export type KeyDirectory = z.output<typeof keyDirectory>

export const readEncryptionKeys = endpoint({
  method: 'GET',
  path: '/e2e/keys',
  tag: 'Encryption keys',
  product: 'both',
  refusals: 'chat',
  summary: 'Read your encryption keys in an organization, and a challenge to add one',
  access: { by: 'session' },
  cost: 'expensive',
  query: z.object(projectSlugs),
  success: { status: 200, data: keyDirectory },
  errors: ['ORG_NOT_FOUND', 'PROJECT_NOT_FOUND', 'INTERNAL_ERROR 503'],
})

export const addKeyStatement = endpoint({
  method: 'POST',
  path: '/e2e/keys',
  tag: 'Encryption keys',
  product: 'both',
  refusals: 'chat',
  summary: 'Enroll, rotate or revoke a device, add a recovery key, or reset your keys',
  description:
    'Each of these is a signed statement that continues the chain of your statements. `sig_new` is the signature of the new key over the bytes of the statement, `sig_by` that of the device in `by`, and `kem_mac` proves possession of the private half of `kem_pub`: HMAC-SHA256 over the same bytes, with the key HKDF-SHA256 (ikm: X25519 of the new private key and the `kem_pub` of the challenge, salt: the decoded nonce, info: `assay-e2e-kem-v1`, 32 bytes).',
  access: { by: 'session' },
  cost: 'expensive',
  body: {
    ...appBody(
      z
        .object({
          ...projectSlugs,
          challenge_id: z.string().max(64),
          statement: keyStatement,
          sig_new: bytes64.nullable().describe('null with `revoke`'),
          sig_by: bytes64,
          kem_mac: bytes32.nullable().describe('null with `revoke`'),
        })
        .refine(
          ({ statement, sig_new, kem_mac }) =>
            [sig_new, kem_mac].every((proof) => (proof === null) === (statement.type === 'revoke')),
          'must have sig_new and kem_mac exactly for a new key',
        ),
    ),
    maxBytes: limits.keyBodyBytes.value,
    malformed: 400,
  },
  success: {
    status: 201,
    data: z.object({
      device: deviceId,
      head: bytes32.describe('the hash of the statement'),
      seq: z.int(),
    }),
  },
  errors: ['ENROLL_FAILED', 'ORG_NOT_FOUND', 'PROJECT_NOT_FOUND'],
})
