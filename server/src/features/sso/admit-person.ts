import { findRefusal, type Refusal } from '../../accounts/admission.ts'
import { type Actor, type AuditEvent, recordEvent } from '../../accounts/audit.ts'
import { toDomain, toEmailKey } from '../../accounts/email.ts'
import { acceptInviteFor } from '../../accounts/invite.ts'
import { hasProvenAddress, newUser, userCreated } from '../../accounts/user.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { InviteRow, UserRow } from '../../storage/accounts/people-tables.ts'
import type { SsoConfigRow } from '../../storage/accounts/sso-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { type AssertedIdentity, SignInRefused } from './sign-in-refused.ts'

/*
 * Maps the identity from an identity provider to an account. Accounts are found by configuration, issuer and subject;
 * the e-mail address is used on the first sign-in only, and only within the organization's verified domains.
 */

export type AdmissionStores = Pick<
  AccountStores,
  | 'clock'
  | 'invites'
  | 'users'
  | 'memberships'
  | 'ssoDomains'
  | 'ssoIdentities'
  | 'audit'
  | 'platformAccess'
  | 'sso'
>

export interface IdentityProviderSignIn {
  readonly asserted: AssertedIdentity
  readonly config: SsoConfigRow
  /** The person who has just proven to be present, by session or password: their account may be linked. */
  readonly present: (Pick<UserRow, 'id'> & Partial<Pick<UserRow, 'password_hash'>>) | undefined
  /** The actor for the audit log. */
  readonly actor: (user: Pick<UserRow, 'id' | 'email'>) => Actor
  readonly at: Timestamp
}

/**
 * Returns the person, who is a member of the configuration's organization afterwards. Call it with the stores of a
 * transaction. Throws `SignInRefused`.
 */
export async function admitPerson(
  providerSignIn: IdentityProviderSignIn,
  stores: AdmissionStores,
): Promise<UserRow> {
  const { asserted, config, actor, at } = providerSignIn
  await refuseOutsideDomains(asserted.email, config, stores)
  const known = await stores.ssoIdentities.find(config.id, asserted.issuer, asserted.subject)
  const user =
    known === undefined
      ? await linkedPerson(providerSignIn, stores)
      : await stores.users.lock(known.user_id)
  if (user === undefined) throw new Error('an identity without a user')
  const invite = await findInvite(user.email_key, config, stores)
  if (invite !== undefined) {
    await acceptInviteFor(invite.token_hash, user, actor(user), stores)
    return user
  }
  const isNew = await stores.memberships.insert({
    organization_id: config.organization_id,
    user_id: user.id,
    role: config.default_role,
    joined_at: at,
  })
  if (isNew) await recordEvent(memberAdded(user, config), actor(user), at, stores)
  return user
}

/** Also checked for linked accounts: an organization may only assert addresses of its own domains. */
export async function refuseOutsideDomains(
  email: string,
  config: SsoConfigRow,
  { ssoDomains }: Pick<AccountStores, 'ssoDomains'>,
): Promise<void> {
  const domain = toDomain(toEmailKey(email))
  const domains = await ssoDomains.list(config.id)
  if (domains.some((one) => one.domain === domain && one.verified_at !== null)) return
  throw new SignInRefused('outside_domains', 'the address is outside the verified domains')
}

/** An invite of the organization replaces platform access, and sets the role. */
async function findInvite(
  emailKey: string,
  { organization_id }: SsoConfigRow,
  { invites, clock }: AdmissionStores,
): Promise<InviteRow | undefined> {
  return await invites.findPendingFor(organization_id, emailKey, await clock.now())
}

async function linkedPerson(
  providerSignIn: IdentityProviderSignIn,
  stores: AdmissionStores,
): Promise<UserRow> {
  const found = await stores.users.findByEmailKey(toEmailKey(providerSignIn.asserted.email))
  const account = found === undefined ? undefined : await stores.users.lock(found.id)
  if (account === undefined) return newPerson(providerSignIn, stores)
  if (isPresent(account, providerSignIn)) return confirmedPerson(account, providerSignIn, stores)
  // Somebody else may have signed up with this address and know the password, even if an Owner marked it as verified.
  // A super admin has access beyond the organization that owns the domain.
  if (!hasProvenAddress(account) || account.is_super_admin === 1) {
    throw new SignInRefused('not_linked', 'the owner has not confirmed the account')
  }
  await link(account, 'address', providerSignIn, stores)
  return account
}

/** A verified password counts only while it is still the account's. */
function isPresent(account: UserRow, { present }: IdentityProviderSignIn): boolean {
  if (present === undefined || present.id !== account.id) return false
  return present.password_hash === undefined || present.password_hash === account.password_hash
}

/** Links the account of a person who is present, which also verifies the address. */
export async function confirmedPerson(
  account: UserRow,
  providerSignIn: IdentityProviderSignIn,
  stores: AdmissionStores,
): Promise<UserRow> {
  await link(account, 'confirmed', providerSignIn, stores)
  if (hasProvenAddress(account)) return account
  const proven = { email_verified_at: providerSignIn.at, email_verified_by: null }
  return (await stores.users.update(account.id, proven)) ?? account
}

async function newPerson(
  providerSignIn: IdentityProviderSignIn,
  stores: AdmissionStores,
): Promise<UserRow> {
  const { asserted, config, actor, at } = providerSignIn
  const emailKey = toEmailKey(asserted.email)
  const credential = { method: 'sso', ssoConfigId: config.id } as const
  const isPreapproved = (await findInvite(emailKey, config, stores)) !== undefined
  const candidate = { emailKey, account: undefined, credential, isPreapproved }
  const refusal = await findRefusal(candidate, stores)
  if (refusal !== undefined) throw refused(refusal)
  const facts = { email: asserted.email, name: toName(asserted), passwordHash: null }
  const user = newUser({ ...facts, isVerified: true, isSuperAdmin: false }, at)
  // A concurrent first sign-in has created the account.
  if (!(await stores.users.insert(user))) return linkedPerson(providerSignIn, stores)
  await recordEvent(userCreated(user, 'single sign-on'), actor(user), at, stores)
  await link(user, 'created', providerSignIn, stores)
  return user
}

const longestName = 128

function toName({ name, email }: AssertedIdentity): string {
  const [local = email] = email.split('@')
  const trimmed = (name ?? '').trim().slice(0, longestName).trim()
  return trimmed === '' ? local : trimmed
}

async function link(
  user: UserRow,
  way: 'created' | 'address' | 'confirmed',
  { asserted, config, actor, at }: IdentityProviderSignIn,
  stores: AdmissionStores,
): Promise<void> {
  const { issuer, subject } = asserted
  await stores.ssoIdentities.insert({
    ...{ sso_config_id: config.id, issuer, subject },
    user_id: user.id,
    created_at: at,
  })
  const details = { email: user.email, way }
  const { organization_id: organizationId } = config
  await recordEvent(
    { action: 'sso_identity.linked', organizationId, targetId: user.id, details },
    actor(user),
    at,
    stores,
  )
}

function memberAdded(user: UserRow, config: SsoConfigRow): AuditEvent {
  return {
    action: 'member.added',
    organizationId: config.organization_id,
    targetId: user.id,
    details: { email: user.email, role: config.default_role },
  }
}

const problems = {
  disabled: 'disabled',
  'sso-required': 'sso_required',
  'access-required': 'access_required',
} as const satisfies Readonly<Record<Refusal, string>>

export function refused(refusal: Refusal): SignInRefused {
  return new SignInRefused(problems[refusal], `admission: ${refusal}`)
}
