import { type AuditAction, auditActions, countedBy } from '@assay/contract/audit.ts'
import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../test/accounts-database.ts'
import { newId } from '../platform/ids.ts'
import type { AuditRow } from '../storage/accounts/audit-tables.ts'
import { type AuditEvent, anonymousActor, recordEvent, userActor } from './audit.ts'

/*
 * Repeated events: a limited number of entries a day, each event in exactly one of them.
 */

const at = '2026-05-01T08:00:00.000Z'
const later = '2026-05-01T23:59:59.999Z'
const nextDay = '2026-05-02T00:00:00.000Z'
const most = limits.auditEntries.value

let opened: TestAccounts
let organizationId: string

const actorAt = (address: string, id = 'ana', requestId = 'a request') =>
  userActor({ id, email: `${id}@x.org` }, { address, userAgent: 'a browser', requestId })
const ana = actorAt('192.0.2.1')

const removed = (projectId: string, traceId: string): AuditEvent => ({
  ...{ action: 'trace.removed', organizationId, targetId: traceId },
  details: { project_id: projectId },
})

async function repeat(times: number, toEvent: (n: number) => AuditEvent, actor = ana, time = at) {
  await opened.accounts.transaction(async (stores) => {
    for (let n = 0; n < times; n += 1) await recordEvent(toEvent(n), actor, time, stores)
  })
}

/** Oldest first. */
async function readEntries(of: string | null = organizationId): Promise<AuditRow[]> {
  return (await opened.accounts.audit.list(of, { limit: 10_000 })).toReversed()
}

const countEvents = (entries: readonly AuditRow[]) =>
  entries.reduce((sum, { event_count }) => sum + event_count, 0)

describe.each(engines)('repeated events in the audit log on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())
  beforeEach(() => {
    organizationId = newId()
  })

  test('have an entry each up to the limit; further ones are counted by project and network', async () => {
    await repeat(most, (n) => removed('first project', `trace ${n}`))
    await repeat(2, (n) => removed('first project', `other ${n}`), actorAt('192.0.2.1', 'ana', 'b'))
    await repeat(40, (n) => removed('second project', `trace ${n}`), ana, later)
    await repeat(3, () => removed('second project', 'one'), actorAt('198.51.100.1'))
    const entries = await readEntries()
    expect(entries.slice(0, most).map((entry) => [entry.target_id, entry.event_count])).toEqual(
      Array.from({ length: most }, (_, n) => [`trace ${n}`, 1]),
    )
    const browser = { actor_id: 'ana', user_agent: 'a browser' }
    expect(entries.slice(most)).toMatchObject([
      {
        ...{ ...browser, event_count: 2, at, last_at: at, client_address: '192.0.2.1' },
        ...{ target_id: null, request_id: 'b', details: '{"project_id":"first project"}' },
      },
      {
        ...{ ...browser, event_count: 40, at: later, last_at: later, target_id: null },
        details: '{"project_id":"second project"}',
      },
      { ...browser, event_count: 3, client_address: '198.51.100.1', target_id: 'one' },
    ])
  })

  test('have a limited number of entries, whatever they are about and from wherever they are sent', async () => {
    const events = 2 * most + 20
    await opened.accounts.transaction(async (stores) => {
      for (let n = 0; n < events; n += 1) {
        const from = actorAt(`2001:db8:${n.toString(16)}::1`)
        await recordEvent(removed(`project ${n}`, 'trace'), from, at, stores)
      }
    })
    const entries = await readEntries()
    expect(entries).toHaveLength(2 * most + 1)
    expect(countEvents(entries)).toBe(events)
    expect(entries.at(-1)).toMatchObject({
      ...{ actor_id: 'ana', action: 'trace.removed', client_address: null },
      details: '{"project_id":null}',
    })
  })

  test('are counted with the change, or neither is stored', async () => {
    await repeat(most + 1, () => removed('project', 'trace'))
    const before = await readEntries()
    const change = opened.accounts.transaction(async (stores) => {
      await recordEvent(removed('project', 'trace'), ana, at, stores)
      throw new Error('halfway')
    })
    await expect(change).rejects.toThrow('halfway')
    expect(await readEntries()).toEqual(before)
  })

  test('are each counted once when they happen at the same time', async () => {
    await repeat(most - 10, () => removed('project', 'trace'))
    await Promise.all(
      Array.from({ length: 30 }, () =>
        recordEvent(removed('project', 'trace'), ana, at, opened.accounts),
      ),
    )
    const entries = await readEntries()
    expect([entries.length, countEvents(entries)]).toEqual([most + 1, most + 20])
  })
})

describe('repeated events', () => {
  beforeAll(async () => {
    opened = await openTestAccounts('SQLite')
  })
  afterAll(() => opened.remove())
  beforeEach(() => {
    organizationId = newId()
  })

  test('take no entries from another user, action, organization or day', async () => {
    await repeat(most + 50, () => removed('project', 'trace'))
    const elsewhere = newId()
    const others: readonly (() => Promise<void>)[] = [
      () => repeat(1, () => removed('project', 'of Ben'), actorAt('192.0.2.1', 'ben')),
      () => repeat(1, () => removed('project', 'of the next day'), ana, nextDay),
      () => repeat(1, () => ({ ...removed('p', 'elsewhere'), organizationId: elsewhere })),
      () =>
        repeat(1, () => ({
          ...{ action: 'traces.exported', organizationId, targetId: 'exported', details: {} },
        })),
    ]
    for (const record of others) await record()
    expect((await readEntries()).slice(most).map(({ target_id }) => target_id)).toEqual([
      'trace',
      'of Ben',
      'of the next day',
      'exported',
    ])
    expect(await readEntries(elsewhere)).toMatchObject([{ target_id: 'elsewhere' }])
  })

  test('of anybody without sign-in are counted by account', async () => {
    const stranger = anonymousActor({ address: '192.0.2.9', userAgent: null, requestId: 'r' })
    const refused = (userId: string): AuditEvent => ({
      ...{ action: 'session.refused', organizationId, targetId: userId },
      details: { reason: 'wrong-password' },
    })
    const noise = limits.anonymousAuditEntries.value
    await repeat(noise, (n) => refused(`${n}`), stranger)
    await repeat(50, () => refused('the victim'), stranger)
    const [victim, ...more] = (await readEntries()).slice(noise)
    expect([victim?.target_id, victim?.event_count, more]).toEqual(['the victim', 50, []])
  })

  test('are found by the time of the last one', async () => {
    await repeat(most + 1, () => removed('project', 'trace'))
    await repeat(1, () => removed('project', 'trace'), ana, later)
    const found = await opened.accounts.audit.list(organizationId, { limit: 10, from: later })
    expect(found).toMatchObject([{ at, last_at: later, event_count: 2 }])
  })

  test('are each in one entry, which has nothing that one of its events has not', async () => {
    const line = { ...(await lineOf(removed('', ''))), client_address: null }
    const event = fc.record({ project: fc.nat(5), trace: fc.nat(2) })
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), fc.nat(4), async (events, most) => {
        const own = newId()
        await opened.accounts.transaction(async ({ audit }) => {
          for (const { project, trace } of events) {
            await audit.appendRepeated(
              {
                ...{ ...line, id: newId(), organization_id: own, target_id: `${trace}` },
                details: JSON.stringify({ project_id: project }),
              },
              { key: own, entriesMax: most, countedKey: `${own} ${project}`, expiresAt: nextDay },
            )
          }
        })
        const entries = await readEntries(own)
        expect(countEvents(entries)).toBe(events.length)
        expect(entries.length).toBeLessThanOrEqual(2 * most + 1)
        for (const project of [0, 1, 2, 3, 4, 5]) {
          const named = entries.filter(({ details }) => details === `{"project_id":${project}}`)
          const happened = events.filter((each) => each.project === project)
          expect(countEvents(named)).toBeLessThanOrEqual(happened.length)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('are never changes to people, roles, keys or settings: those have an entry each', async () => {
    const always =
      /^(service|member|invite|super_admin|platform_access|tracing_key|project|organization|master_key|sso_domain|sso_identity|encryption_key)\./
    const actions = Object.keys(auditActions) as AuditAction[]
    const counted = actions.filter((action) => countedBy(action) !== undefined)
    expect(counted.filter((action) => always.test(action))).toEqual([])
    await repeat(3 * most, (n) => ({
      ...{ action: 'tracing_key.revoked', organizationId, targetId: `key ${n}` },
      details: { project_id: 'project' },
    }))
    expect(await readEntries()).toHaveLength(3 * most)
  })
})

async function lineOf(event: AuditEvent): Promise<AuditRow> {
  await recordEvent(event, ana, at, opened.accounts)
  const [line] = await readEntries()
  if (line === undefined) throw new Error('the event was not recorded')
  return line
}
