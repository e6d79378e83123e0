import { ingestTrace } from '@assay/contract/ingest.ts'
import { listMembers } from '@assay/contract/members.ts'
import {
  createOrganization,
  createProject,
  listOrganizations,
  listProjects,
  removeProject,
  updateOrganization,
  updateProject,
} from '@assay/contract/organizations.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addMember, addTenant, addUser, type Tenant } from '../../../test/people.ts'
import { runningService } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'

const service = runningService()
let acme: Tenant
let globex: Tenant
let owner: Credentials

beforeAll(async () => {
  globex = await addTenant(service.accounts, 'globex')
  acme = await addTenant(service.accounts, 'Acme')
  owner = await service.signedIn(acme.members.Owner)
})

describe('GET /orgs', () => {
  test("lists the caller's organizations by name, with their roles", async () => {
    await addMember(service.accounts, globex.organizationId, acme.members.Owner.id, 'Viewer')
    const { data } = await service.call(listOrganizations, {}, owner)
    expect(data.map(({ id, name, role }) => [id, name, role])).toEqual([
      [acme.organizationId, 'Acme', 'Owner'],
      [globex.organizationId, 'globex', 'Viewer'],
    ])
  })

  test('is empty for a person without an organization, and lists all for a super admin', async () => {
    const withoutMembership = await service.signedIn(await addUser(service.accounts))
    expect((await service.call(listOrganizations, {}, withoutMembership)).data).toEqual([])
    const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
    const { data } = await service.call(listOrganizations, {}, admin)
    expect(data.map(({ name, role }) => [name, role])).toEqual([
      ['Acme', 'Owner'],
      ['globex', 'Owner'],
    ])
  })
})

describe('POST /orgs', () => {
  const create = (body: object, as: Credentials) => service.call(createOrganization, { body }, as)
  let admin: UserRow
  let as: Credentials
  beforeAll(async () => {
    admin = await addUser(service.accounts, { superAdmin: true })
    as = await service.signedIn(admin)
  })

  test('creates an organization whose first Owner is the super admin', async () => {
    const created = await create({ name: 'Initech & Söhne', data_residency_region: 'eu' }, as)
    expect(created).toMatchObject({
      status: 201,
      data: {
        name: 'Initech & Söhne',
        slug: 'initech-sohne',
        data_residency_region: 'eu',
        plan_tier: 'free',
        role: 'Owner',
      },
    })
    const params = { orgId: created.data.id }
    expect((await service.call(listMembers, { params }, as)).data).toMatchObject([
      { user_id: admin.id, role: 'Owner' },
    ])
    const again = await create({ name: 'Initech & Söhne' }, as)
    expect(again.data).toMatchObject({ slug: 'initech-sohne-2', data_residency_region: 'local' })
  })

  test('refuses a taken slug, and callers who are not super admins', async () => {
    await create({ name: 'One', slug: 'taken' }, as)
    expect(await create({ name: 'Two', slug: 'taken' }, as)).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT', message: expect.stringMatching(/^slug /) },
    })
    expect(await create({ name: 'Mine' }, owner)).toMatchObject({ status: 403 })
    const names = (await service.accounts.organizations.list()).map(({ name }) => name)
    expect(names).not.toContain('Mine')
  })
})

describe('PATCH /orgs/{orgId}', () => {
  test('changes the name of the organization and keeps its slug', async () => {
    const { organizationId, members } = await addTenant(service.accounts, 'Before')
    const as = await service.signedIn(members.Admin)
    const [before] = (await service.call(listOrganizations, {}, as)).data
    const params = { orgId: organizationId }
    const body = { name: 'After', slug: 'another', plan_tier: 'enterprise' }
    expect(await service.call(updateOrganization, { params, body }, as)).toMatchObject({
      status: 200,
      data: { ...before, name: 'After' },
    })
    expect((await service.call(listOrganizations, {}, as)).data).toEqual([
      { ...before, name: 'After' },
    ])
  })
})

describe('a project', () => {
  let tenant: Tenant
  let as: Credentials
  beforeEach(async () => {
    tenant = await service.addTenant()
    as = await service.signedIn(tenant.members.Admin)
  })
  const inTenant = () => ({ projectId: tenant.projectId })
  const update = (body: object) => service.call(updateProject, { params: inTenant(), body }, as)
  const remove = (body: object) => service.call(removeProject, { params: inTenant(), body }, as)
  const listed = async () => {
    const params = { orgId: tenant.organizationId }
    return (await service.call(listProjects, { params }, as)).data
  }

  test('PATCH changes the given fields, and null means the default retention of the service', async () => {
    const [before] = await listed()
    expect(await update({ name: ' Renamed ', slug: 'no' })).toMatchObject({
      status: 200,
      data: { ...before, name: 'Renamed' },
    })
    expect((await update({ retention_days: 30 })).data.retention_days).toBe(30)
    expect((await update({ retention_days: null })).data).toEqual({ ...before, name: 'Renamed' })
  })

  test.each([{}, { retention_days: 0 }, { retention_days: 3651 }, { name: '' }])(
    'PATCH refuses %j',
    async (body) => {
      expect(await update(body)).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR' },
      })
    },
  )

  test('DELETE requires its slug, and changes nothing without it', async () => {
    for (const body of [{}, { confirm: '' }, { confirm: 'Project' }, { confirm: null }]) {
      expect(await remove(body)).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^confirm /) },
      })
    }
    expect(await listed()).toHaveLength(1)
  })

  test('DELETE removes its telemetry, and no other', async () => {
    const other = await service.addTenant()
    for (const key of [tenant.tracingKey, other.tracingKey]) {
      await service.call(ingestTrace, { body: aTrace }, { 'x-tracing-key': key })
    }
    await remove({ confirm: 'project' })
    const { telemetry } = service
    await expect.poll(() => telemetry.findTrace(tenant.projectId, 'a')).toBeUndefined()
    expect(await telemetry.findTrace(other.projectId, 'a')).toMatchObject({ spanCount: 1 })
  })

  test('DELETE revokes all access and its keys from the next request on', async () => {
    expect(await remove({ confirm: 'project' })).toMatchObject({
      status: 200,
      data: { status: 'removed' },
    })
    expect(await listed()).toEqual([])
    expect(await update({ name: 'Again' })).toMatchObject({
      status: 404,
      error: { code: 'PROJECT_NOT_FOUND' },
    })
    for (const key of [tenant.tracingKey, tenant.legacyKey]) {
      expect(
        await service.call(ingestTrace, { body: aTrace }, { 'x-tracing-key': key }),
      ).toMatchObject({ status: 401, error: { message: 'Invalid or revoked tracing key.' } })
    }
    const { data } = await service.call(
      createProject,
      { params: { orgId: tenant.organizationId }, body: { name: 'Project' } },
      as,
    )
    expect(data.slug).toBe('project')
    expect(data.id).not.toBe(tenant.projectId)
  })

  const aTrace = {
    trace_id: 'a',
    spans: [{ span_id: 'a', name: 'a', started_at: '2026-01-01T00:00:00Z' }],
  }
})

describe('POST /orgs/{orgId}/projects', () => {
  const inAcme = () => ({ orgId: acme.organizationId })

  test('creates a project whose legacy key is only in the response', async () => {
    const body = { name: 'Ärger & Co' }
    const created = await service.call(createProject, { params: inAcme(), body }, owner)
    expect(created).toMatchObject({
      status: 201,
      data: {
        organization_id: acme.organizationId,
        name: 'Ärger & Co',
        slug: 'arger-co',
        retention_days: null,
        legacy_tracing_key: expect.stringMatching(/^tk_live_[0-9a-f]{48}$/),
      },
    })
    const listed = await service.call(listProjects, { params: inAcme() }, owner)
    const { legacy_tracing_key, ...project } = created.data
    expect(listed.data.map(({ name }) => name)).toEqual(['Ärger & Co', 'Project'])
    expect(listed.data[0]).toEqual(project)
    expect(JSON.stringify(listed.data)).not.toContain(legacy_tracing_key)
  })

  test('refuses a taken slug, and an invalid one', async () => {
    const body = { name: 'Another', slug: 'project' }
    expect(await service.call(createProject, { params: inAcme(), body }, owner)).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT', message: expect.stringMatching(/^slug /) },
    })
    const misshapen = { name: 'Another', slug: 'No Slug' }
    expect(
      await service.call(createProject, { params: inAcme(), body: misshapen }, owner),
    ).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    })
    const { data } = await service.call(listProjects, { params: inAcme() }, owner)
    expect(data.filter(({ name }) => name === 'Another')).toEqual([])
  })
})
