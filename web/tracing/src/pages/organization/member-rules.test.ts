import { roles } from '@assay/contract/access.ts'
import { describe, expect, test } from 'vitest'
import {
  type MemberContext,
  memberDisabledReason,
  roleDisabledReason,
  rolesToInviteTo,
} from './member-rules.ts'

const ana = { user_id: 'ana', role: 'Owner' } as const
const ben = { user_id: 'ben', role: 'Owner' } as const
const cleo = { user_id: 'cleo', role: 'Admin' } as const
const dan = { user_id: 'dan', role: 'Editor' } as const
const all = [ana, ben, cleo, dan]

const as = (own: (typeof all)[number], members: MemberContext['members'] = all): MemberContext => ({
  ownUserId: own.user_id,
  ownRole: own.role,
  members,
})

describe('a member can be changed and removed', () => {
  test.each([
    ['an Owner by another', ben, as(ana), undefined],
    ['an Owner by themselves', ana, as(ana), undefined],
    ['an Editor by an Admin', dan, as(cleo), undefined],
    ['not the last Owner', ana, as(ana, [ana, cleo, dan]), 'The last Owner cannot leave.'],
    ['not an Owner by an Admin', ana, as(cleo), 'Only an Owner can change an Owner.'],
    ['not an Editor by an Editor', dan, as(dan), 'Only Owners and Admins can change roles.'],
  ])('%s', (_situation, member, memberContext, expected) => {
    expect(memberDisabledReason(member, memberContext)).toBe(expected)
  })
})

describe('a role can be assigned', () => {
  test.each([
    ['by an Admin to an Editor: Admin', 'Admin', dan, as(cleo), undefined],
    ['never to somebody else: Owner', 'Owner', dan, as(ana), 'by invite only'],
    ['not by an Admin to themselves: Owner', 'Owner', cleo, as(cleo), 'above your own'],
    ['as it is already', 'Owner', ben, as(ana), undefined],
    [
      'by a super admin to themselves: Owner',
      'Owner',
      { ...dan, user_id: 'ana' },
      as(ana),
      undefined,
    ],
  ] as const)('%s', (_situation, role, member, memberContext, expected) => {
    expect(roleDisabledReason(role, member, memberContext)).toBe(expected)
  })
})

test('an Admin can invite to every role but Owner', () => {
  const offered = rolesToInviteTo('Admin').filter(
    ({ disabledReason }) => disabledReason === undefined,
  )
  expect(offered.map(({ role }) => role)).toEqual(roles.filter((role) => role !== 'Owner'))
})
