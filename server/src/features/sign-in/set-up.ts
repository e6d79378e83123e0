import { createHash, timingSafeEqual } from 'node:crypto'
import type { DataOf, Input } from '@assay/contract/endpoint.ts'
import type { setUp as setUpEndpoint } from '@assay/contract/sign-in.ts'
import { type AuditEvent, recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts } from '../../accounts/caller.ts'
import { type ConnectedClient, networkWaiter } from '../../accounts/network-waiter.ts'
import { newOrganization, toApiOrganization } from '../../accounts/organization.ts'
import { newProject, projectCreated, toApiProject } from '../../accounts/project.ts'
import { type NewSession, sessionStarted, startSession } from '../../accounts/session.ts'
import type { SignInRateLimiter } from '../../accounts/sign-in-rate-limiter.ts'
import { toSlug } from '../../accounts/slug.ts'
import { newTracingKey, tracingKeyCreated } from '../../accounts/tracing-key.ts'
import { newUser, toApiUser } from '../../accounts/user.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Passwords } from '../../platform/password-hash.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type {
  OrganizationRow,
  ProjectRow,
  TracingKeyRow,
  UserRow,
} from '../../storage/accounts/people-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

export interface SetUpPorts {
  readonly accounts: Accounts
  readonly passwords: Passwords
  readonly clock: Clock
  readonly setupToken: string
  readonly rateLimiter: Pick<SignInRateLimiter, 'enterNetwork'>
}

type Form = Input<typeof setUpEndpoint>['body']

export interface SetUp {
  readonly answer: DataOf<typeof setUpEndpoint>
  readonly session: NewSession
}

/**
 * Creates the first person with an organization, a project and a tracing key, in one transaction and only once: of
 * concurrent calls one succeeds.
 */
export async function setUp(
  form: Form,
  client: ConnectedClient,
  ports: SetUpPorts,
): Promise<SetUp> {
  await checkToken(form.token, client, ports)
  const passwordHash = await ports.passwords.hash(form.password, networkWaiter(client))
  return ports.accounts.transaction((stores) =>
    firstEntries(form, passwordHash, client, stores, ports.clock),
  )
}

/** Throws unless the token may set up the service now. */
export async function checkToken(
  token: string,
  client: ClientFacts,
  { accounts, setupToken, rateLimiter }: SetUpPorts,
): Promise<void> {
  // First, so that the token cannot be guessed once the service is set up.
  if (await accounts.installation.isSetUp()) throw isSetUpAlready()
  const attempt = await rateLimiter.enterNetwork(client.address)
  if (!isSame(token, setupToken)) throw new Failure('FORBIDDEN', 'Wrong set-up token.')
  await attempt.succeeded()
}

async function firstEntries(
  form: Form,
  passwordHash: string,
  client: ClientFacts,
  stores: AccountStores,
  clock: Clock,
): Promise<SetUp> {
  const at = clock.now().toISOString()
  if (!(await stores.installation.claim(at))) throw isSetUpAlready()

  // The owner of the set-up token operates the service, so the address counts as verified.
  const input = { ...form, passwordHash, isVerified: true, isSuperAdmin: true }
  const user = newUser(input, at)
  const organization = newOrganization(
    form.organization_name,
    toSlug(form.organization_name, 'organization'),
    at,
  )
  const project = newProject(
    organization.id,
    form.project_name,
    toSlug(form.project_name, 'project'),
    at,
  )
  const tracingKey = newTracingKey(project.row.id, 'live', user.id, at, 'First key')

  await stores.users.insert(user)
  await stores.organizations.insert(organization)
  await stores.memberships.insert({
    organization_id: organization.id,
    user_id: user.id,
    role: 'Owner',
    joined_at: at,
  })
  await stores.projects.insert(project.row)
  await stores.tracingKeys.insert(tracingKey.row)
  const session = await startSession(user, { method: 'password' }, client, stores, clock)
  if (typeof session === 'string') throw new Error(`the first person was refused: ${session}`)
  const actor = userActor(user, client)
  for (const event of toEvents(user, organization, project.row, tracingKey.row)) {
    await recordEvent(event, actor, at, stores)
  }

  const answer = {
    user: toApiUser(user),
    organization: toApiOrganization({ ...organization, sso_config_id: null }, 'Owner'),
    project: toApiProject(project.row),
    tracing_key: tracingKey.key,
  }
  return { answer, session }
}

function toEvents(
  user: UserRow,
  organization: OrganizationRow,
  project: ProjectRow,
  key: TracingKeyRow,
): AuditEvent[] {
  const organizationId = organization.id
  return [
    {
      action: 'service.set_up',
      organizationId: null,
      targetId: user.id,
      details: { email: user.email },
    },
    {
      action: 'organization.created',
      organizationId,
      targetId: organizationId,
      details: { name: organization.name, slug: organization.slug },
    },
    projectCreated(project),
    tracingKeyCreated(organizationId, key),
    sessionStarted(user, { method: 'password' }),
  ]
}

const isSetUpAlready = () => new Failure('CONFLICT', 'This service is already set up.')

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
