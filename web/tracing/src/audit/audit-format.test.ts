import { auditActions } from '@assay/contract/audit.ts'
import { describe, expect, test } from 'vitest'
import { actionGroups, formatActor, formatDetails } from './audit-format.ts'

describe('the details of an audit log entry', () => {
  test.each([
    [
      'a change of role',
      { email: 'a@x.org', from: 'Viewer', to: 'Editor' },
      ['a@x.org', 'Viewer → Editor'],
    ],
    [
      'an obvious value without its name',
      { name: 'Checkout', slug: 'checkout' },
      ['Checkout', 'slug: checkout'],
    ],
    ['booleans as yes and no', { protocol: 'oidc', enforced: true }, ['oidc', 'enforced: yes']],
    ['a list', { domains: ['x.org', 'y.org'] }, ['domains: x.org, y.org']],
    ['an odd value as JSON', { email: { odd: 1 } }, ['{"odd":1}']],
    ['nothing for missing values', { by_mail: null, changed: [] }, []],
  ])('are %s', (_situation, details, expected) => {
    expect(formatDetails({ details })).toEqual(expected)
  })
})

test('every action is offered as a filter, once', () => {
  const offered = actionGroups.flatMap(({ items }) => items.map(({ value }) => value))
  expect(offered.toSorted()).toEqual(Object.keys(auditActions).toSorted())
})

test('actors without an address differ by their kind', () => {
  const words = (['user', 'set-up', 'command line', 'nobody'] as const).map((kind) =>
    formatActor({ kind, user_id: null, email: null }),
  )
  expect(new Set(words).size).toBe(words.length)
})
