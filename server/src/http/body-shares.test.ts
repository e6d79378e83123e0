import { createComment } from '@assay/contract/comments.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import { Unavailable } from '../platform/failure.ts'
import { type BodyShares, openBodyShares } from './body-shares.ts'

const mib = 1024 * 1024

/** Takes MiB by MiB until it is refused; returns how many were taken. */
function exhaust(
  shares: BodyShares,
  { access }: Parameters<typeof toShare>[1],
  organizationId: string,
  userId: string,
): number {
  const share = toShare(shares, { access }, organizationId, userId)
  for (let taken = 0; ; taken += 1) {
    try {
      share.take(mib)
    } catch (error) {
      expect(error).toBeInstanceOf(Unavailable)
      return taken
    }
  }
}

function toShare(
  shares: BodyShares,
  { access }: Pick<typeof ingestTrace | typeof createComment, 'access'>,
  organizationId: string,
  userId: string,
) {
  return shares(access, [organizationId, userId])
}

describe.each([
  ['a tracing key', ingestTrace, limits.ingestBodies, limits.ingestBodiesOfProject],
  ['people', createComment, limits.sessionBodies, limits.sessionBodiesOfUser],
])('request bodies of %s', (_, endpoint, total, share) => {
  test('of an organization leave room for others, however many projects and people it has', () => {
    const shares = openBodyShares()
    const own = Array.from({ length: 60 }, (__, n) => exhaust(shares, endpoint, 'many', `${n}`))
    expect(own[0]).toBe(share.value / mib)
    expect(own.reduce((sum, mebibytes) => sum + mebibytes, 0)).toBeLessThanOrEqual(
      total.value / 2 / mib,
    )
    expect(exhaust(shares, endpoint, 'other', 'victim')).toBe(share.value / mib)
  })

  test('that are handled make room for others', () => {
    const shares = openBodyShares()
    const handled = toShare(shares, endpoint, 'o', 'a')
    handled.take(mib)
    handled.take(share.value - mib)
    expect(() => handled.take(1)).toThrow(Unavailable)
    handled.release()
    handled.release()
    expect(exhaust(shares, endpoint, 'o', 'a')).toBe(share.value / mib)
  })
})
