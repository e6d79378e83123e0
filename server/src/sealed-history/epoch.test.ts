import type { Chain, Device } from '@assay/contract/key-chain.ts'
import { describe, expect, test } from 'vitest'
import { checkNewEpoch, isOver } from './epoch.ts'

const device = (id: string, members: Partial<Device> = {}): [string, Device] => [
  id,
  {
    ...{ id, type: 'device', label: id, suite: 1, sign_pub: 's', kem_pub: 'k', status: 'active' },
    ...{ created_at: '2026-01-01T00:00:00.000Z', revoked_at: null },
    ...members,
  },
]
const chainOf = (devices: readonly [string, Device][], removalSeq = 0): Chain => ({
  ...{ generation: 1, seq: 9, head: 'h', removalSeq },
  ...{ devices: new Map(devices), nonces: new Set() },
})
const chain = chainOf([
  device('laptop'),
  device('code', { type: 'recovery' }),
  device('phone', { status: 'revoked' }),
])
/** 9, the base point. */
const mailbox_pub = Buffer.concat([Buffer.of(9), Buffer.alloc(31)]).toString('base64url')
const keysOf = (...ids: readonly string[]) => ids.map((one) => ({ device: one, kem_pub: 'k' }))

describe('a new epoch', () => {
  const valid = { epoch: 1, mailbox_pub, keys: keysOf('laptop', 'code') }
  const rotated = [...keysOf('laptop'), { device: 'code', kem_pub: 'earlier' }]
  const smallOrder = Buffer.alloc(32).toString('base64url')

  test('is for the active devices and recovery keys', () => {
    expect(checkNewEpoch(valid, 0, chain)).toBeUndefined()
    expect(checkNewEpoch({ ...valid, epoch: 3 }, 2, chain)).toBeUndefined()
  })

  test.each([
    ['one that was begun before', { ...valid, epoch: 1 }, 1, 'epoch'],
    ['one too far', { ...valid, epoch: 3 }, 1, 'epoch'],
    ['a missing recovery key', { ...valid, keys: keysOf('laptop') }, 0, 'recipients'],
    ['a revoked device', { ...valid, keys: keysOf('laptop', 'code', 'phone') }, 0, 'recipients'],
    ['a foreign device', { ...valid, keys: keysOf('laptop', 'thief') }, 0, 'recipients'],
    ['a device twice', { ...valid, keys: keysOf('laptop', 'laptop') }, 0, 'recipients'],
    ['an earlier key of a device', { ...valid, keys: rotated }, 0, 'recipients'],
    ['a mailbox of small order', { ...valid, mailbox_pub: smallOrder }, 0, 'mailbox'],
  ])('is refused: %s', (_what, given, last, refusal) => {
    expect(checkNewEpoch(given, last, chain)).toBe(refusal)
  })

  test('is refused to somebody who has a recovery key only', () => {
    const recoveryOnly = chainOf([device('code', { type: 'recovery' })])
    expect(checkNewEpoch({ ...valid, keys: keysOf('code') }, 0, recoveryOnly)).toBe('no device')
  })
})

describe('an epoch is over', () => {
  const epoch = { epoch: 1, chain_seq: 5, created_at: '2026-01-01T00:00:00.000Z' }
  const before = new Date('2026-03-31T23:59:59.999Z')
  const after = new Date('2026-04-01T00:00:00.000Z')

  test.each([
    ['after 90 days', 0, after, true],
    ['not a moment earlier', 0, before, false],
    ['not after a removal that came before it', 5, before, false],
    ['after a removal that came later', 6, before, true],
  ])('%s', (_when, removalSeq, now, expected) => {
    expect(isOver(epoch, chainOf([], removalSeq), now)).toBe(expected)
  })
})
