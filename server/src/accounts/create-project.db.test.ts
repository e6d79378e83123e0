import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../test/accounts-database.ts'
import { addTenant, type Tenant } from '../../test/people.ts'
import { systemClock } from '../platform/clock.ts'
import { accessControl } from './access-control.ts'
import { commandLineActor } from './audit.ts'
import { createProject } from './create-project.ts'

const at = '2026-05-01T08:00:00.000Z'

let opened: TestAccounts
let acme: Tenant

describe.each(engines)('a new project on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    acme = await addTenant(opened.accounts)
  })

  const create = (organizationId: string, name: string, slug?: string) =>
    createProject(organizationId, { name, slug }, commandLineActor, at, opened.accounts)
  const listSlugs = async (organizationId: string) => {
    const projects = await opened.accounts.projects.list(organizationId)
    return projects.map(({ slug }) => slug).sort()
  }

  test('has a unique slug in the organization, also when many with one name are created at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => create(acme.organizationId, 'Chat Agent')))
    expect(await listSlugs(acme.organizationId)).toEqual([
      'chat-agent',
      ...[2, 3, 4, 5, 6, 7, 8].map((number) => `chat-agent-${number}`),
      'project',
    ])
  })

  test('cannot have a taken slug, but may have one of another organization', async () => {
    const globex = await addTenant(opened.accounts)
    await create(acme.organizationId, 'One', 'mine')
    await expect(create(acme.organizationId, 'Two', 'mine')).rejects.toMatchObject({
      code: 'CONFLICT',
      status: 409,
      message: expect.stringMatching(/^slug /),
    })
    await create(globex.organizationId, 'Two', 'mine')
    expect(await listSlugs(acme.organizationId)).toEqual(['mine', 'project'])
    expect(await listSlugs(globex.organizationId)).toEqual(['mine', 'project'])
  })

  test('accepts telemetry with its legacy key, which is stored as a hash only', async () => {
    const { row, legacyKey } = await create(acme.organizationId, 'Three')
    const access = accessControl(opened.accounts, systemClock)
    const headers = { authorization: `Bearer ${legacyKey}` }
    expect(await access.keyCaller(headers)).toEqual({
      organizationId: acme.organizationId,
      projectId: row.id,
    })
    const rows = await opened.query(`select * from projects where id = '${row.id}'`)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(legacyKey)
    expect(await opened.accounts.tracingKeys.list(row.id)).toEqual([])
  })
})
