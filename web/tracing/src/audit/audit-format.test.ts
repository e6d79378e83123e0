import { auditActions } from '@assay/contract/audit.ts'
import { formatLocal } from '@assay/ui/time-format.ts'
import { describe, expect, test } from 'vitest'
import type { AuditScope } from '../api/audit-log.ts'
import { actionGroups, formatActor, formatDetails } from './audit-format.ts'

const nowMs = Date.UTC(2026, 5, 1)
const projectNames = new Map([
  ['p1', 'Checkout'],
  ['p2', 'Support'],
])
const context = { nowMs, projectNames }

const priceTerms = JSON.stringify({
  input_usd_per_mtok: 2.5,
  cache_read_usd_per_mtok: null,
  cache_write_1h_usd_per_mtok: 0.000001,
  request_usd: null,
  long_context: { above_tokens: 200_000, input_usd_per_mtok: 5, output_usd_per_mtok: null },
  service_tiers: { batch: 0.5 },
})

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
    [
      'members of an object by name',
      { types: { credential: 2, e_mail: 1 } },
      ['types: credential: 2, e mail: 1'],
    ],
    [
      'a time in local time',
      { until: '2026-01-02T12:00:00.000Z' },
      [`until: ${formatLocal(Date.UTC(2026, 0, 2, 12), nowMs)}`],
    ],
    [
      'no IDs of what has a name elsewhere',
      { collection_id: 'c1', max_traces: 9 },
      ['max traces: 9'],
    ],
    [
      'every term of a price',
      { kind: 'price', terms: priceTerms },
      [
        'kind: price',
        '$2.50 in, $0.000001 cache write (1 h), above 200,000 tokens $5.00 in, batch × 0.5',
      ],
    ],
    [
      'the target of an alias',
      { terms: '{"target_model":"gpt-4o","target_provider":null}' },
      ['target model: gpt-4o'],
    ],
    [
      'a project by its name',
      { project_id: 'p1', from_project_id: 'p2' },
      ['project: Checkout', 'from project: Support'],
    ],
    ['a project that is gone as deleted', { project_id: 'gone' }, ['project: deleted']],
    [
      'a time range',
      { from: '2026-01-02T12:00:00.000Z', to: '2025-06-01T12:00:00.000Z' },
      [
        `${formatLocal(Date.UTC(2026, 0, 2, 12), nowMs)} → ${formatLocal(Date.UTC(2025, 5, 1, 12), nowMs)}`,
      ],
    ],
    [
      'a time range without a start',
      { from: '2000-01-01T00:00:00.000Z', to: '2026-01-02T12:00:00.000Z' },
      [`any time → ${formatLocal(Date.UTC(2026, 0, 2, 12), nowMs)}`],
    ],
    ['terms that are not JSON as they are', { terms: 'odd' }, ['terms: odd']],
    ['nothing for missing values', { by_mail: null, changed: [] }, []],
  ])('are %s', (_situation, details, expected) => {
    const once = { count: 1, last_at: '2026-01-02T12:00:00.000Z' }
    expect(formatDetails({ ...once, details }, context)).toEqual(expected)
  })

  test('begin with how many events the entry stands for, and when the last one happened', () => {
    const counts = { count: 4900, last_at: '2026-01-02T12:00:00.000Z' }
    const last = formatLocal(Date.UTC(2026, 0, 2, 12), nowMs)
    expect(formatDetails({ ...counts, details: { method: 'sso' } }, context)).toEqual([
      `4,900 times, last ${last}`,
      'method: sso',
    ])
  })
})

test('actions are named by what happened, in sentence case', () => {
  const labels = Object.values(auditActions).map(({ label }) => label)
  expect(labels.filter((label) => !/^[A-Z][\w -]+$/.test(label))).toEqual([])
  expect(new Set(labels).size).toBe(labels.length)
})

describe('the filter by action', () => {
  const offered = (scope: AuditScope) =>
    actionGroups(scope).flatMap(({ items }) => items.map(({ value }) => value))

  test('offers every action in the log that records it', () => {
    const ofLogs = [...offered('platform'), ...offered({ orgId: 'acme' })]
    expect(ofLogs.toSorted()).toEqual([...Object.keys(auditActions), 'session.refused'].toSorted())
  })

  test('offers no sign-ins in an organization and no projects on the platform', () => {
    expect(offered({ orgId: 'acme' })).toContain('project.created')
    expect(offered({ orgId: 'acme' })).not.toContain('session.started')
    expect(offered('platform')).toContain('session.started')
    expect(offered('platform')).not.toContain('project.created')
  })
})

test('actors without an address differ by their kind', () => {
  const labels = (['user', 'set-up', 'command line', 'anonymous'] as const).map((kind) =>
    formatActor({ kind, user_id: null, email: null }),
  )
  expect(new Set(labels).size).toBe(labels.length)
})
