import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Role } from '@assay/contract/access.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import { exportAuditLog } from '@assay/contract/audit-log.ts'
import { buildPath } from '@assay/contract/client.ts'
import { endpointName, replyForm } from '@assay/contract/endpoint.ts'
import { exportTrajectories } from '@assay/contract/export.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { changeRole, removeMember } from '@assay/contract/members.ts'
import { removeProject } from '@assay/contract/organizations.ts'
import { updateAccount } from '@assay/contract/platform.ts'
import { revokeOtherSessions } from '@assay/contract/profile.ts'
import { signOut } from '@assay/contract/sign-in.ts'
import { watchTraces } from '@assay/contract/traces.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { addUser, type Tenant } from './people.ts'
import { runningService } from './service-suite.ts'
import type { Credentials } from './started-app.ts'

/*
 * Streams end when their caller loses access, and are limited in number.
 */

const service = runningService()

/** Referenced, because fetch closes connections of responses that are garbage collected. */
const streams: { readonly response: Response; readonly leave: () => void }[] = []
afterAll(() => {
  for (const { leave } of streams) leave()
})

async function open(path: string, headers: Credentials) {
  const client = new AbortController()
  const response = await fetch(service.api + path, { headers, signal: client.signal })
  const stream = { response, status: response.status, leave: () => client.abort() }
  streams.push(stream)
  return stream
}

const watch = (projectId: string, headers: Credentials) =>
  open(buildPath(watchTraces, { projectId }, {}), headers)

const ingest = ({ tracingKey }: Tenant, traceId: string, output: unknown = null) => {
  const spans = [{ span_id: 'a', name: 'n', started_at: '2026-05-01T08:00:00Z', output }]
  const key = { 'x-tracing-key': tracingKey }
  return service.call(ingestTrace, { body: { trace_id: traceId, spans } }, key)
}

interface Situation {
  readonly tenant: Tenant
  readonly viewer: Credentials
  readonly owner: Credentials
}

const losses: Readonly<Record<string, (situation: Situation) => Promise<{ status: number }>>> = {
  'signing out': ({ viewer }) => service.call(signOut, {}, viewer),
  'their session is revoked': async ({ tenant }) =>
    service.call(revokeOtherSessions, {}, await service.signedIn(tenant.members.Viewer)),
  'they are disabled': async ({ tenant }) => {
    const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
    const params = { userId: tenant.members.Viewer.id }
    return service.call(updateAccount, { params, body: { disabled: true } }, admin)
  },
  'they are removed from the organization': ({ tenant, owner }) => {
    const params = { orgId: tenant.organizationId, userId: tenant.members.Viewer.id }
    return service.call(removeMember, { params }, owner)
  },
  'the project is removed': ({ tenant, owner }) => {
    const params = { projectId: tenant.projectId }
    return service.call(removeProject, { params, body: { confirm: 'project' } }, owner)
  },
}

describe('a live stream', () => {
  test.concurrent.each(Object.entries(losses))(
    'ends without an event after %s',
    async (_cause, lose) => {
      const tenant = await service.addTenant()
      const viewer = await service.signedIn(tenant.members.Viewer)
      const owner = await service.signedIn(tenant.members.Owner)
      const { response } = await watch(tenant.projectId, viewer)
      const received = response.text()
      expect((await lose({ tenant, viewer, owner })).status).toBe(200)
      expect(await received).not.toContain('data:')
    },
  )

  test('goes on after a change of role that still allows it', async () => {
    const tenant = await service.addTenant()
    const editor = await service.signedIn(tenant.members.Editor)
    const { response } = await watch(tenant.projectId, editor)
    await setRole(tenant, 'Editor', 'Viewer')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    await ingest(tenant, 'after the change')
    expect((await reader.read()).value).toContain('after the change')
  })
})

async function setRole(tenant: Tenant, of: Role, role: Role): Promise<void> {
  const params = { orgId: tenant.organizationId, userId: tenant.members[of].id }
  const owner = await service.signedIn(tenant.members.Owner)
  const { status } = await service.call(changeRole, { params, body: { role } }, owner)
  expect(status).toBe(200)
}

test('an export that its client does not read is cut off after a role without the permission', async () => {
  const tenant = await service.addTenant()
  // More than the buffers of a connection hold. The last one to be exported is 1.
  for (const traceId of ['1', '2', '3']) await ingest(tenant, traceId, 'x'.repeat(30_000_000))
  const admin = await service.signedIn(tenant.members.Admin)
  const { projectId } = tenant
  const path = buildPath(exportTrajectories, { projectId }, {})
  const [unread] = await once(get(service.api + path, { headers: admin }), 'response')
  for (let n = 1; n < limits.openStreamsOfUser.value; n += 1) await watch(projectId, admin)
  expect((await watch(projectId, admin)).status).toBe(503)
  await setRole(tenant, 'Admin', 'Viewer')
  const watchAgain = async () => (await watch(projectId, admin)).status
  await expect.poll(watchAgain).toBe(200)
  const received = await text(unread as IncomingMessage).catch(() => '')
  expect(received.includes('"trace_id":"1"')).toBe(false)
})

test('a stream closes its connection, which a stop would otherwise wait for', async () => {
  const { members, projectId } = await service.addTenant()
  const path = buildPath(exportTrajectories, { projectId }, {})
  const headers = await service.signedIn(members.Owner)
  const agent = new Agent({ keepAlive: true })
  const request = get(service.api + path, { agent, headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const closed = once(response.socket, 'close')
  response.resume()
  const hadError = (await closed)[0] as boolean
  expect(hadError).toBe(false)
})

describe('a user with as many open streams as they can have', () => {
  const most = limits.openStreamsOfUser.value

  test.each([
    ['a live stream', watchTraces],
    ['an export of traces', exportTrajectories],
    ['an export of the audit log', exportAuditLog],
  ])('is refused %s, unlike others, until one of them ends', async (_name, declared) => {
    const { projectId, organizationId, members } = await service.addTenant()
    const owner = await service.signedIn(members.Owner)
    const opened = await Promise.all(Array.from({ length: most }, () => watch(projectId, owner)))
    expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: most }, () => 200))
    const params = { projectId, orgId: organizationId }
    const refused = await service.call(declared, { params }, owner)
    expect([refused.status, refused.error.code]).toEqual([503, 'INTERNAL_ERROR'])
    expect(refused.headers.get('retry-after')).toBe('1')
    const others = await watch(projectId, await service.signedIn(members.Admin))
    expect(others.status).toBe(200)
    opened[0]!.leave()
    const path = buildPath(declared, params, {})
    await expect.poll(async () => (await open(path, owner)).status).toBe(200)
  })

  test('is refused every other stream before its body is read', async () => {
    const { projectId, organizationId, members } = await service.addTenant()
    const owner = await service.signedIn(members.Owner)
    await Promise.all(Array.from({ length: most }, () => watch(projectId, owner)))
    const ids = { runId: randomUUID(), jobId: randomUUID(), messageId: randomUUID() }
    const params = { projectId, orgId: organizationId, traceId: 'none', ...ids }
    const declaring = allEndpoints.filter((one) =>
      ['events', 'json-lines'].includes(replyForm(one)),
    )
    for (const declared of declaring) {
      const { status, error } = await service.call(declared, { params }, owner)
      expect([endpointName(declared), status]).toEqual([endpointName(declared), 503])
      expect(error.message).toContain('Too many')
    }
  })
})

test('a user with as many exports as they can have is refused more, unlike others and live streams', async () => {
  const tenant = await service.addTenant()
  // More than the buffers of a connection hold.
  for (const traceId of ['1', '2']) await ingest(tenant, traceId, 'x'.repeat(30_000_000))
  const { projectId, members } = tenant
  const admin = await service.signedIn(members.Admin)
  const path = buildPath(exportTrajectories, { projectId }, {})
  const most = limits.openExportsOfUser.value
  const opened = await Promise.all(Array.from({ length: most }, () => open(path, admin)))
  expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: most }, () => 200))
  const refused = await service.call(exportTrajectories, { params: { projectId } }, admin)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await watch(projectId, admin)).status).toBe(200)
  expect((await open(path, await service.signedIn(members.Owner))).status).toBe(200)
  opened[0]!.leave()
  await expect.poll(async () => (await open(path, admin)).status).toBe(200)
})
