import { canonicalJson } from '@assay/contract/canonical-json.ts'
import type { KeyStatement } from '@assay/contract/encryption-keys.ts'
import { type EnrollRefusal, enrollRefusals } from '@assay/contract/encryption-refusals.ts'
import { limits } from '@assay/contract/limits.ts'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { toBase64url } from '../../../../web/chat/src/crypto/base64url.ts'
import { type DeviceKeyPairs, newDeviceKeys } from '../../../../web/chat/src/crypto/device-keys.ts'
import {
  type NewStatement,
  type SignedStatement,
  signNew,
  signStatement,
  toStatement,
} from '../../../../web/chat/src/crypto/key-statements.ts'
import { clockAt } from '../../../test/clock-at.ts'
import { type KeyUser, signInKeyUser } from '../../../test/key-directory-suite.ts'
import { runningService, tenantPerTest } from '../../../test/service-suite.ts'

/*
 * Every refusal of a statement, over HTTP. A person with the devices `laptop` and `phone` sends it.
 */

const start = Date.now()
let now = start
const service = runningService({ clock: clockAt(() => now) })
const tenant = tenantPerTest(service)

let ana: KeyUser
let laptop: DeviceKeyPairs
let phone: DeviceKeyPairs

beforeEach(async () => {
  now = start
  ana = await signInKeyUser(service, tenant)
  laptop = await ana.add('enroll')
  phone = await ana.add('enroll', { by: laptop })
})

/** A valid enrollment by the laptop, with changes before it is signed. */
async function enrollment(
  parts: Partial<NewStatement> = {},
  change: Partial<Record<keyof KeyStatement, unknown>> = {},
): Promise<SignedStatement> {
  const device = await newDeviceKeys()
  const all = { type: 'enroll' as const, device, by: laptop, ...(await ana.next()), ...parts }
  return await signStatement({ ...toStatement(all), ...change } as KeyStatement, all)
}

const zeros = (bytes: number) => toBase64url(new ArrayBuffer(bytes))
const otherUuid = '0f0e0d0c-0b0a-4908-8706-050403020100'
/** The neutral element of Ed25519: any signature of it is easily made. */
const neutral = toBase64url(Uint8Array.of(1, ...Array.from({ length: 31 }, () => 0)).buffer)
const unreduced = toBase64url(
  Uint8Array.of(0xf0, ...Array.from({ length: 30 }, () => 0xff), 0x7f).buffer,
)

const cases: readonly (readonly [
  situation: string,
  refusal: EnrollRefusal,
  send: () => Promise<SignedStatement>,
])[] = [
  [
    'case 35: a challenge that nobody issued',
    'challenge',
    async () => ({ ...(await enrollment()), challenge_id: otherUuid }),
  ],
  [
    'case 35: a challenge that is older than five minutes',
    'challenge',
    async () => {
      const signed = await enrollment()
      now += limits.keyChallengeMinutes.value * 60_000
      return signed
    },
  ],
  [
    "case 35: another person's challenge",
    'challenge',
    async () => {
      const { challenge } = await (await signInKeyUser(service, tenant, 'Owner')).next()
      return await enrollment({ challenge })
    },
  ],
  [
    "case 35: the person's challenge of another organization",
    'challenge',
    async () => {
      const other = await service.addTenant()
      const user = tenant.members.Viewer
      await service.accounts.memberships.insert({
        ...{ organization_id: other.organizationId, user_id: user.id, role: 'Viewer' },
        joined_at: new Date(now).toISOString(),
      })
      const members = { ...other.members, Viewer: user }
      const { challenge } = await (
        await signInKeyUser(service, { ...other, members }, 'Viewer')
      ).next()
      return await enrollment({ challenge })
    },
  ],
  [
    'case 35: a used challenge',
    'challenge',
    async () => {
      const { challenge } = await ana.next()
      await ana.send(await enrollment({ challenge }))
      return await enrollment({ challenge })
    },
  ],
  [
    'case 35: a statement that was sent before',
    'challenge',
    async () => {
      const signed = await enrollment()
      await ana.send(signed)
      return signed
    },
  ],
  [
    'a nonce other than that of the challenge',
    'challenge',
    () => enrollment({}, { nonce: zeros(32) }),
  ],
  ['the id of another person', 'owner', () => enrollment({}, { user: otherUuid })],
  ['the id of another organization', 'owner', () => enrollment({}, { org: otherUuid })],
  [
    'case 33: an older head',
    'chain',
    async () => {
      const { after } = await ana.next()
      await ana.add('enroll', { by: laptop })
      return await enrollment({ after })
    },
  ],
  ['a gap in seq', 'chain', () => enrollment({}, { seq: 4 })],
  ['another prev', 'chain', () => enrollment({}, { prev: zeros(32) })],
  ['no prev', 'chain', () => enrollment({}, { prev: null })],
  ['a reset that has another device in by', 'signs itself', () => enrollment({ type: 'reset' })],
  [
    'an enrollment that names itself, after the first',
    'acting device',
    async () => {
      const device = await newDeviceKeys()
      return await enrollment({ device, by: device })
    },
  ],
  [
    'a revoked device in by',
    'acting device',
    async () => {
      await ana.add('revoke', { device: phone, by: laptop })
      return await enrollment({ by: phone })
    },
  ],
  [
    'case 32: a device from before a reset in by',
    'acting device',
    async () => {
      await ana.add('reset')
      return await enrollment({ by: laptop })
    },
  ],
  [
    "another person's device in by",
    'acting device',
    async () =>
      enrollment({ by: await (await signInKeyUser(service, tenant, 'Owner')).add('enroll') }),
  ],
  [
    'a rotation by another device',
    'rotated device',
    async () => enrollment({ type: 'rotate', device: await newDeviceKeys(phone.id) }),
  ],
  [
    'a revocation of a revoked device',
    'revoked device',
    async () => {
      await ana.add('revoke', { device: phone, by: laptop })
      return await enrollment({ type: 'revoke', device: phone })
    },
  ],
  [
    "a revocation of another person's device",
    'revoked device',
    async () => {
      const device = await (await signInKeyUser(service, tenant, 'Owner')).add('enroll')
      return await enrollment({ type: 'revoke', device })
    },
  ],
  [
    'the id of another device of theirs',
    'used device',
    async () => enrollment({ device: await newDeviceKeys(phone.id) }),
  ],
  [
    'the id of a device from before a reset',
    'used device',
    async () => {
      await ana.add('reset')
      const device = await newDeviceKeys(phone.id)
      return await enrollment({ type: 'reset', device, by: device })
    },
  ],
  [
    'the device id of a person of another organization',
    'used device',
    async () => {
      const { id } = await (await signInKeyUser(service, await service.addTenant())).add('enroll')
      return await enrollment({ device: await newDeviceKeys(id) })
    },
  ],
  [
    'case 35: the neutral element as sign_pub, with a signature of zeros',
    'small order',
    async () => ({ ...(await enrollment({}, { sign_pub: neutral })), sig_new: zeros(64) }),
  ],
  [
    'case 35: a kem_pub of small order',
    'small order',
    () => enrollment({}, { kem_pub: zeros(32) }),
  ],
  [
    'a sign_pub that is not reduced',
    'not canonical',
    () => enrollment({}, { sign_pub: unreduced }),
  ],
  ['a kem_pub that is not reduced', 'not canonical', () => enrollment({}, { kem_pub: unreduced })],
  [
    'a key that is enrolled',
    'used key',
    async () => enrollment({ device: { ...(await newDeviceKeys()), kem_pub: phone.kem_pub } }),
  ],
  [
    'the key of a person of another organization',
    'used key',
    async () => {
      const theirs = await (await signInKeyUser(service, await service.addTenant())).add('enroll')
      return await enrollment({ device: { ...theirs, id: crypto.randomUUID() } })
    },
  ],
  [
    'a key from before a rotation',
    'used key',
    async () => {
      await ana.add('rotate', { device: await newDeviceKeys(phone.id), by: phone })
      return await enrollment({ device: { ...phone, id: crypto.randomUUID() } })
    },
  ],
  [
    'one key for both purposes',
    'used key',
    async () => {
      const device = await newDeviceKeys()
      return await enrollment({ device: { ...device, sign_pub: device.kem_pub } })
    },
  ],
  [
    'a sig_new by another key',
    'sig_new',
    async () => {
      const signed = await enrollment()
      return { ...signed, sig_new: signed.sig_by }
    },
  ],
  [
    'a sign_pub that is no point of the curve',
    'sig_new',
    () => enrollment({}, { sign_pub: toBase64url(Uint8Array.of(2, ...Array(31).fill(0)).buffer) }),
  ],
  [
    'a sig_new of other bytes',
    'sig_new',
    async () => ({ ...(await enrollment()), sig_new: (await enrollment()).sig_new }),
  ],
  [
    "case 35: somebody else's kem_pub",
    'kem_mac',
    async () => {
      const { kem_pub } = await newDeviceKeys()
      return await enrollment({}, { kem_pub })
    },
  ],
  ['a kem_mac of zeros', 'kem_mac', async () => ({ ...(await enrollment()), kem_mac: zeros(32) })],
  [
    'a sig_by by the new key',
    'sig_by',
    async () => {
      const signed = await enrollment()
      return { ...signed, sig_by: signed.sig_new ?? '' }
    },
  ],
  [
    'a sig_by by an active device that is not in by',
    'sig_by',
    () => enrollment({ by: phone }, { by: laptop.id }),
  ],
  [
    'a sig_by by the old key of a rotated device',
    'sig_by',
    async () => {
      await ana.add('rotate', { device: await newDeviceKeys(laptop.id), by: laptop })
      return await enrollment()
    },
  ],
  [
    'a rotation that the new key alone signs',
    'sig_by',
    async () => {
      const device = await newDeviceKeys(laptop.id)
      return await enrollment({ type: 'rotate', device, by: device })
    },
  ],
  [
    'a revocation with a signature of zeros',
    'sig_by',
    async () => ({ ...(await enrollment({ type: 'revoke', device: phone })), sig_by: zeros(64) }),
  ],
  [
    'one device more than can be active',
    'too many devices',
    async () => {
      for (let n = 2; n < limits.activeDevices.value; n += 1)
        await ana.add('enroll', { by: laptop })
      return await enrollment()
    },
  ],
]

describe('a statement is refused, and nothing is stored, with', () => {
  test.each(cases)('%s', async (_situation, refusal, build) => {
    const signed = await build()
    const before = await stored()
    const answer = await ana.send(signed)
    expect([answer.status, answer.error]).toEqual([
      400,
      { code: 'ENROLL_FAILED', message: enrollRefusals[refusal] },
    ])
    expect(await stored()).toEqual(before)
  })

  test('a challenge that can then be used', async () => {
    const signed = await enrollment()
    await ana.send({ ...signed, kem_mac: zeros(32) })
    expect((await ana.send(signed)).status).toBe(201)
  })
})

describe('the first statement', () => {
  const first: readonly (readonly [string, EnrollRefusal, Partial<NewStatement>])[] = [
    ['a reset', 'first', { type: 'reset' }],
    ['a rotation', 'first', { type: 'rotate' }],
    ['a revocation', 'first', { type: 'revoke' }],
  ]
  test.each(first)('cannot be %s', async (_what, refusal, parts) => {
    const bob = await signInKeyUser(service, tenant, 'Editor')
    const device = await newDeviceKeys()
    const before = await stored()
    const all = { type: 'enroll' as const, device, ...(await bob.next()), ...parts }
    const answer = await bob.send(await signNew(all))
    expect(answer.error?.message).toBe(enrollRefusals[refusal])
    expect(await stored()).toEqual(before)
  })

  test('cannot be signed by a device of somebody else', async () => {
    const bob = await signInKeyUser(service, tenant, 'Editor')
    const all = { type: 'enroll' as const, device: await newDeviceKeys(), by: laptop }
    const answer = await bob.send(await signNew({ ...all, ...(await bob.next()) }))
    expect(answer.error?.message).toBe(enrollRefusals['signs itself'])
  })
})

describe('a long chain', () => {
  const { keyStatements, reservedKeyStatements } = limits

  /** Stores statements up to `seq` as if they had been accepted. */
  async function fillUpTo(seq: number): Promise<void> {
    const parts = await ana.next()
    const revoked = await newDeviceKeys()
    const statement = toStatement({ type: 'revoke', ...parts, device: revoked, by: laptop })
    const { org: organization_id, user: user_id } = parts.owner
    await service.accounts.transaction(async ({ keyDirectory }) => {
      for (let n = parts.after.seq + 1; n <= seq; n += 1) {
        await keyDirectory.insertStatement({
          ...{
            organization_id,
            user_id,
            seq: n,
            hash: zeros(32),
            sig_new: null,
            sig_by: zeros(64),
          },
          ...{
            statement: canonicalJson({ ...statement, seq: n }),
            created_at: statement.created_at,
          },
        })
      }
    })
  }
  const answerTo = async (parts: Partial<NewStatement>) => {
    const { status, error } = await ana.send(await enrollment(parts))
    return error?.message ?? status
  }

  test('ends with statements that only revoke or reset, and then takes no more', async () => {
    await fillUpTo(keyStatements.value - reservedKeyStatements.value - 1)
    expect(await answerTo({})).toBe(201)
    for (const type of ['enroll', 'recovery'] as const) {
      expect(await answerTo({ type })).toBe(enrollRefusals.full)
    }
    const device = await newDeviceKeys(laptop.id)
    expect(await answerTo({ type: 'rotate', device })).toBe(enrollRefusals.full)
    expect(await answerTo({ type: 'revoke', device: phone })).toBe(201)
    await fillUpTo(keyStatements.value - 1)
    const last = await newDeviceKeys()
    expect(await answerTo({ type: 'reset', device: last, by: last })).toBe(201)
    const { data } = await ana.read()
    expect(data.me.statements).toHaveLength(keyStatements.value)
    expect(await answerTo({ type: 'revoke', device: last, by: last })).toBe(
      enrollRefusals['completely full'],
    )
  }, 60_000)
})

/** Everything that a statement changes. */
async function stored() {
  return await service.query(
    `select (select count(*) from key_statements) as statements,
       (select count(*) from used_encryption_keys) as used,
       (select ${inject('isScaled') ? "string_agg(hash, ',')" : 'group_concat(hash)'} from key_logs) as logs`,
  )
}
