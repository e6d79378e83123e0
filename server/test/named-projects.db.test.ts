import { allEndpoints } from '@assay/contract/all.ts'
import { streamReply } from '@assay/contract/chat-stream.ts'
import { addKeyStatement } from '@assay/contract/encryption-keys.ts'
import { type AnyEndpoint, type Body, endpointName, listErrors } from '@assay/contract/endpoint.ts'
import { addMailboxKeys, listMailboxKeys } from '@assay/contract/mailbox-keys.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newDeviceKeys } from '../../web/chat/src/crypto/device-keys.ts'
import { signNew } from '../../web/chat/src/crypto/key-statements.ts'
import { newId } from '../src/platform/ids.ts'
import { addUser, type Tenant } from './people.ts'
import { readTables } from './read-tables.ts'
import { runningService } from './service-suite.ts'
import type { Credentials } from './started-app.ts'

/*
 * Every endpoint that has the slugs of an organization and a project in its query or body instead of ids in its path.
 */

const service = runningService()
let own: Tenant
let owner: Credentials
let slugs: Readonly<Record<string, string>>

beforeAll(async () => {
  own = await service.addTenant()
  owner = await service.signedIn(own.members.Owner)
  const slugOf = async ({ organizationId }: Tenant) =>
    (await service.accounts.organizations.find(organizationId))?.slug ?? ''
  slugs = { own: await slugOf(own), other: await slugOf(await service.addTenant()) }
})

const hasSlugs = (schema: z.ZodType | undefined) =>
  schema instanceof z.ZodObject && 'org' in schema.shape && 'project' in schema.shape
const bodyOf = ({ body }: AnyEndpoint): z.ZodType | undefined => {
  const declared: Body | undefined = body
  return declared !== undefined && 'schema' in declared ? declared.schema : undefined
}
const named = allEndpoints
  .filter((one) => hasSlugs(one.query) || hasSlugs(bodyOf(one)))
  .map((one) => [endpointName(one), one] as const)

/** The other members of a valid body. */
async function restOfBody(declared: AnyEndpoint): Promise<object> {
  if (declared === addMailboxKeys) {
    const key = { conversation_id: newId(), epoch: 1, enc: 'A'.repeat(43), sealed: 'A'.repeat(64) }
    return { device: newId(), kem_pub: 'A'.repeat(43), keys: [key] }
  }
  if (declared === streamReply) return { message: 'Hello' }
  if (declared !== addKeyStatement) return {}
  const challenge = { id: 'x', nonce: 'A'.repeat(43), kem_pub: `CQ${'A'.repeat(41)}` }
  const parts = { owner: { org: own.organizationId, user: own.members.Owner.id }, challenge }
  const after = { seq: 0, head: null }
  return await signNew({
    ...parts,
    label: 'Laptop',
    after,
    type: 'enroll',
    device: await newDeviceKeys(),
  })
}

const mailboxKeysQuery = { device: newId(), lacking: newId(), kem_pub: 'A'.repeat(43) }

async function send(declared: AnyEndpoint, org: string, project: string, as = owner) {
  const slugsSent = { org, project }
  const body = declared.body && { ...(await restOfBody(declared)), ...slugsSent }
  const on = declared.product === 'chat' ? { on: 'chat' as const } : {}
  const devices = declared === listMailboxKeys ? mailboxKeysQuery : {}
  const query = hasSlugs(declared.query) ? { ...slugsSent, ...devices } : {}
  return await service.call(declared, { query, body, ...on }, as)
}

test('endpoints with slugs are found', () => {
  expect(named.map(([name]) => name)).toEqual(
    expect.arrayContaining(['GET /e2e/keys', 'POST /e2e/keys', 'GET /chat/conversations']),
  )
})

describe.each(named)('%s', (_name, declared) => {
  const project = { code: 'PROJECT_NOT_FOUND', message: 'Project not found.' }
  const reportsOrganization = listErrors(declared).some(({ code }) => code === 'ORG_NOT_FOUND')
  const organization = { code: 'ORG_NOT_FOUND', message: 'Organization not found.' }
  const notFound = { project, organization: reportsOrganization ? organization : project }

  test.each([
    ['of another organization', 'other', 'project', 'organization'],
    ['of no organization', 'missing', 'project', 'organization'],
    ['that is not a slug', '%00 / ../', 'project', 'organization'],
    ['of no project', 'own', 'missing', 'project'],
    ['of no project, with an id', 'own', '0f0e0d0c-0b0a-4908-8706-0504', 'project'],
  ] as const)('refuses a slug %s, and stores nothing', async (_which, org, project, missing) => {
    const before = await readTables(service)
    const { status, error } = await send(declared, slugs[org] ?? org, project)
    expect([status, error]).toEqual([404, notFound[missing]])
    expect(await readTables(service)).toEqual(before)
  })

  test('admits every member, and nobody else but super admins', async () => {
    const nobody = await service.signedIn(await addUser(service.accounts))
    expect((await send(declared, slugs['own'] ?? '', 'project', nobody)).error).toEqual(
      notFound.organization,
    )
    const people = [
      ...Object.values(own.members),
      await addUser(service.accounts, { superAdmin: true }),
    ]
    for (const person of people) {
      const answer = await send(
        declared,
        slugs['own'] ?? '',
        'project',
        await service.signedIn(person),
      )
      expect([401, 403, 404]).not.toContain(answer.status)
    }
  })
})
