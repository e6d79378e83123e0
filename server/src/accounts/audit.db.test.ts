import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../test/accounts-database.ts'
import { type AuditEvent, recordEvent, userActor } from './audit.ts'

const at = '2026-05-01T08:00:00.000Z'
const client = { address: '192.0.2.1', userAgent: 'a browser', requestId: 'a request' }
const ana = userActor({ id: 'id of Ana', email: 'ana@x.org' }, client)

const created: AuditEvent = {
  action: 'tracing_key.created',
  organizationId: 'an organization',
  targetId: 'a key',
  details: { project_id: 'a project', name: 'a name', environment: 'live', key_hint: 'beef' },
}

let opened: TestAccounts

describe.each(engines)('the audit log on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('stores who did what, when and from where, and only the details that the contract lists', async () => {
    const wider = { ...created.details, key: 'tk_live_secret' }
    await recordEvent({ ...created, details: wider }, ana, at, opened.accounts)
    const [line] = await opened.query('select * from audit_log')
    expect({ ...line, id: '' }).toEqual({
      id: '',
      at,
      organization_id: 'an organization',
      actor_kind: 'user',
      actor_id: 'id of Ana',
      actor_email: 'ana@x.org',
      action: 'tracing_key.created',
      target_kind: 'tracing_key',
      target_id: 'a key',
      client_address: '192.0.2.1',
      user_agent: 'a browser',
      request_id: 'a request',
      details: '{"project_id":"a project","name":"a name","environment":"live","key_hint":"beef"}',
      event_count: 1,
      last_at: null,
    })
  })

  test('is rolled back with the change, and the change with it', async () => {
    const before = await opened.query('select id from audit_log')
    await expect(
      opened.accounts.transaction(async (stores) => {
        await recordEvent(created, ana, at, stores)
        throw new Error('halfway')
      }),
    ).rejects.toThrow('halfway')
    expect(await opened.query('select id from audit_log')).toEqual(before)

    await opened.query('alter table audit_log rename to gone')
    const project = opened.accounts.transaction(async (stores) => {
      await stores.installation.claim(at)
      await recordEvent(created, ana, at, stores)
    })
    await expect(project).rejects.toThrow(/audit_log/)
    expect(await opened.accounts.installation.isSetUp()).toBe(false)
  })

  test('has no statement that removes an event', () => {
    expect(
      Object.keys(opened.accounts.audit).filter((name) => !/^(append|list)/.test(name)),
    ).toEqual([])
  })
})
