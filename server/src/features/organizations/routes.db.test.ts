import { createProject, listOrganizations, listProjects } from '@assay/contract/organizations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMember, addTenant, addUser, type Tenant } from '../../../test/people.ts'
import { type Credentials, type Service, startService } from '../../../test/started-app.ts'

let service: Service
let acme: Tenant
let globex: Tenant
let owner: Credentials

beforeAll(async () => {
  service = await startService()
  globex = await addTenant(service.accounts, 'globex')
  acme = await addTenant(service.accounts, 'Acme')
  owner = await service.signedIn(acme.members.Owner)
})
afterAll(() => service.stop())

describe('GET /orgs', () => {
  test('lists one’s own organizations by name, each with one’s role in it', async () => {
    await addMember(service.accounts, globex.organizationId, acme.members.Owner.id, 'Viewer')
    const { data } = await service.ask(listOrganizations, {}, owner)
    expect(data.map(({ id, name, role }) => [id, name, role])).toEqual([
      [acme.organizationId, 'Acme', 'Owner'],
      [globex.organizationId, 'globex', 'Viewer'],
    ])
  })

  test('lists nothing for a person without organization, and all of them for a super admin', async () => {
    const nobody = await service.signedIn(await addUser(service.accounts))
    expect((await service.ask(listOrganizations, {}, nobody)).data).toEqual([])
    const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
    const { data } = await service.ask(listOrganizations, {}, admin)
    expect(data.map(({ name, role }) => [name, role])).toEqual([
      ['Acme', 'Owner'],
      ['globex', 'Owner'],
    ])
  })
})

describe('POST /orgs/{orgId}/projects', () => {
  const inAcme = () => ({ orgId: acme.organizationId })

  test('creates a project whose legacy key is shown there and never again', async () => {
    const body = { name: 'Ärger & Co' }
    const created = await service.ask(createProject, { params: inAcme(), body }, owner)
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
    const listed = await service.ask(listProjects, { params: inAcme() }, owner)
    const { legacy_tracing_key, ...project } = created.data
    expect(listed.data.map(({ name }) => name)).toEqual(['Ärger & Co', 'Project'])
    expect(listed.data[0]).toEqual(project)
    expect(JSON.stringify(listed.data)).not.toContain(legacy_tracing_key)
  })

  test('refuses a slug that is taken, and one out of form', async () => {
    const body = { name: 'Another', slug: 'project' }
    expect(await service.ask(createProject, { params: inAcme(), body }, owner)).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT', message: expect.stringMatching(/^slug: /) },
    })
    const misshapen = { name: 'Another', slug: 'No Slug' }
    expect(
      await service.ask(createProject, { params: inAcme(), body: misshapen }, owner),
    ).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    })
    const { data } = await service.ask(listProjects, { params: inAcme() }, owner)
    expect(data.filter(({ name }) => name === 'Another')).toEqual([])
  })
})
