import type { Role } from '@assay/contract/access.ts'
import { toEmailKey } from '../src/accounts/email.ts'
import { newOrganization } from '../src/accounts/organization.ts'
import { newProject } from '../src/accounts/project.ts'
import { newTracingKey } from '../src/accounts/tracing-key.ts'
import { newId } from '../src/platform/ids.ts'
import type { Flag } from '../src/storage/accounts/column-types.ts'
import type { UserRow } from '../src/storage/accounts/people-tables.ts'
import type { AccountStores } from '../src/storage/accounts/stores.ts'

/*
 * Users, organizations and keys for tests, inserted directly into the accounts database. Each call creates
 * new ones, so that tests share a database without interfering.
 */

const at = '2026-01-01T00:00:00.000Z'

export interface Person {
  readonly superAdmin?: boolean
  readonly disabled?: boolean
  readonly passwordHash?: string
  /** A new one by default. */
  readonly email?: string
  /** Whether the address is verified. */
  readonly verified?: boolean
}

export async function addUser(stores: AccountStores, person: Person = {}): Promise<UserRow> {
  const id = newId()
  const email = person.email ?? `Person-${id}@x.org`
  const isSuperAdmin: Flag = person.superAdmin === true ? 1 : 0
  const user: UserRow = {
    id,
    email,
    email_key: toEmailKey(email),
    email_verified_at: person.verified === true ? at : null,
    email_verified_by: null,
    name: `Person ${id.slice(0, 4)}`,
    password_hash: person.passwordHash ?? null,
    is_super_admin: isSuperAdmin,
    disabled_at: person.disabled === true ? at : null,
    created_at: at,
  }
  await stores.users.insert(user)
  return user
}

export interface Tenant {
  readonly organizationId: string
  readonly projectId: string
  readonly legacyKey: string
  readonly tracingKey: string
  readonly tracingKeyId: string
  /** The header that sends the tracing key. */
  readonly keyHeader: { readonly 'x-tracing-key': string }
  /** One member of each role. */
  readonly members: Readonly<Record<Role, UserRow>>
}

/** An organization with a member of each role, a project and a key. */
export async function addTenant(stores: AccountStores, name = 'Acme'): Promise<Tenant> {
  const organization = newOrganization(name, `tenant-${newId()}`, at)
  const project = newProject(organization.id, 'Project', 'project', at)
  await stores.organizations.insert(organization)
  await stores.projects.insert(project.row)
  const member = async (role: Role) => {
    const user = await addUser(stores)
    await addMember(stores, organization.id, user.id, role)
    return user
  }
  const members = {
    Owner: await member('Owner'),
    Admin: await member('Admin'),
    Editor: await member('Editor'),
    Viewer: await member('Viewer'),
  }
  const { key, row } = newTracingKey(project.row.id, 'live', members.Owner.id, at)
  await stores.tracingKeys.insert(row)
  return {
    organizationId: organization.id,
    projectId: project.row.id,
    legacyKey: project.legacyKey,
    tracingKey: key,
    tracingKeyId: row.id,
    keyHeader: { 'x-tracing-key': key },
    members,
  }
}

export async function addMember(
  stores: AccountStores,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await stores.memberships.insert({
    organization_id: organizationId,
    user_id: userId,
    role,
    joined_at: at,
  })
}

/** A new domain whose users must sign in with the organization's single sign-on. */
export async function addEnforcedDomain(
  stores: AccountStores,
  organizationId: string,
): Promise<{ domain: string; ssoConfigId: string }> {
  const domain = `${newId()}.example`
  const id = newId()
  await stores.sso.insert({
    id,
    organization_id: organizationId,
    protocol: 'oidc',
    issuer: 'https://idp.example',
    client_id: 'assay',
    client_secret: null,
    client_secret_set_at: null,
    idp_entity_id: null,
    idp_sso_url: null,
    idp_certificate: null,
    enforced: 1,
    default_role: 'Viewer',
    created_at: at,
    updated_at: at,
  })
  await stores.ssoDomains.insert({ sso_config_id: id, domain, token: 'a token' })
  await stores.ssoDomains.insertVerified({
    sso_config_id: id,
    domain,
    verified_at: at,
    verified_by: 'dns',
  })
  return { domain, ssoConfigId: id }
}
