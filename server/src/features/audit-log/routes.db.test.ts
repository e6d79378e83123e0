import { exportAuditLog, listAuditLog } from '@assay/contract/audit-log.ts'
import { createProject } from '@assay/contract/organizations.ts'
import { createTracingKey } from '@assay/contract/tracing-keys.ts'
import { describe, expect, test } from 'vitest'
import { clockAt } from '../../../test/clock-at.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'

let now = Date.parse('2026-05-01T08:00:00.000Z')
const service = runningService({ clock: clockAt(() => now) })
const acme = tenantPerTest(service)
const owner = signedInPerTest(service, () => acme.members.Owner)

const client = { address: '192.0.2.1', userAgent: null, requestId: 'a request' }
const list = (query: object = {}) =>
  service.call(listAuditLog, { params: { orgId: acme.organizationId }, query }, owner)

/** Events that differ in the name of a project, one per minute. */
async function write(count: number, by = acme.members.Owner, into = acme): Promise<void> {
  for (let number = 0; number < count; number++) {
    now += 60_000
    await recordEvent(
      {
        action: 'project.created',
        organizationId: into.organizationId,
        targetId: into.projectId,
        details: { name: `Project ${number}`, slug: 'a-slug' },
      },
      userActor(by, client),
      new Date(now).toISOString(),
      service.accounts,
    )
  }
}

describe('GET /orgs/{orgId}/audit-log', () => {
  test('lists who did what, and from where, without secrets', async () => {
    const params = { projectId: acme.projectId }
    const send = { 'user-agent': 'A Browser/1.0' }
    const { data } = await service.call(createTracingKey, { params, body: {}, send }, owner)
    const { Owner } = acme.members
    const listed = await list()
    expect(listed.data).toEqual([
      {
        id: expect.any(String),
        count: 1,
        at: new Date(now).toISOString(),
        last_at: new Date(now).toISOString(),
        actor: { kind: 'user', user_id: Owner.id, email: Owner.email },
        action: 'tracing_key.created',
        target: { kind: 'tracing_key', id: data.id },
        client_address: '127.0.0.1',
        user_agent: 'A Browser/1.0',
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        details: {
          project_id: acme.projectId,
          name: 'Tracing key',
          environment: 'live',
          key_hint: data.key.slice(-4),
        },
      },
    ])
    expect(listed.meta).toEqual({ pageSize: 1, cursor: null })
    expect(JSON.stringify(listed.data)).not.toContain(data.key)
  })

  test('lists every event once, newest first, page by page, while more are written', async () => {
    await write(7)
    const collected: unknown[] = []
    let cursor: string | null | undefined
    do {
      const page = await list({ limit: 3, ...(cursor ? { cursor } : {}) })
      collected.push(...page.data.map(({ details }) => details['name']))
      cursor = page.meta.cursor
      await write(1)
    } while (cursor !== null)
    expect(collected).toEqual([6, 5, 4, 3, 2, 1, 0].map((number) => `Project ${number}`))
  })

  test('can be filtered by action, person and time, alone and combined', async () => {
    const from = new Date(now + 120_000).toISOString()
    await write(3)
    await write(1, acme.members.Admin)
    const body = { name: 'Another' }
    await service.call(createProject, { params: { orgId: acme.organizationId }, body }, owner)
    const count = async (query: object) => (await list(query)).data.length
    const actor = acme.members.Admin.id
    const to = new Date(now).toISOString()
    expect(await count({})).toBe(5)
    expect(await count({ action: 'project.created' })).toBe(5)
    expect(await count({ action: 'tracing_key.revoked' })).toBe(0)
    expect(await count({ actor })).toBe(1)
    expect(await count({ from })).toBe(4)
    // A time may be written in more than one way.
    expect(await count({ from: from.replace('.000Z', 'Z') })).toBe(4)
    expect(await count({ to: from })).toBe(1)
    expect(await count({ from, to })).toBe(2)
    expect(await count({ from, to, actor: acme.members.Owner.id, action: 'project.created' })).toBe(
      2,
    )
    expect(await count({ actor: "' or 1=1 --" })).toBe(0)
  })

  test('lists nothing of another organization, and refuses its cursors', async () => {
    const globex = await service.addTenant()
    await write(3, globex.members.Owner, globex)
    await write(1)
    await write(3, globex.members.Owner, globex)
    const theirs = await service.call(
      listAuditLog,
      { params: { orgId: globex.organizationId }, query: { limit: 1 } },
      await service.signedIn(globex.members.Owner),
    )
    expect((await list()).data).toHaveLength(1)
    const refused = await list({ cursor: theirs.meta.cursor })
    expect(refused).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
  })

  test.each([
    { cursor: 'made up' },
    { limit: '0' },
    { limit: '101' },
    { action: 'no such action' },
    { from: 'yesterday' },
  ])('refuses %j', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
  })
})

describe('GET /orgs/{orgId}/audit-log/export', () => {
  const exported = (query: object = {}) =>
    service.call(exportAuditLog, { params: { orgId: acme.organizationId }, query }, owner)

  test('returns all events, one JSON object each, and is recorded itself', async () => {
    await write(1203)
    const response = await exported({ action: 'project.created' })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(response.data).toHaveLength(1203)
    expect(new Set(response.data.map(({ id }) => id)).size).toBe(1203)
    const [newest] = (await list({ limit: 1 })).data
    expect(newest).toMatchObject({
      action: 'audit_log.exported',
      target: { kind: 'organization', id: acme.organizationId },
    })
  })

  test('refuses an unknown filter value', async () => {
    expect(await exported({ to: 'tomorrow' })).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    })
  })
})
