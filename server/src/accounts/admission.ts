import { Failure } from '../platform/failure.ts'
import type { UserRow } from '../storage/accounts/people-tables.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { toDomain } from './email.ts'

/*
 * The one place that decides whether an address may have an account and a session. Every path that creates either
 * calls it: password, single sign-on, invite, password reset, set-up, session transfer.
 */

/** How a person authenticates: with a password, or through a single sign-on configuration. */
export type Credential =
  | { readonly method: 'password' }
  | { readonly method: 'sso'; readonly ssoConfigId: string }

export interface Candidate {
  readonly emailKey: string
  /** Undefined for a person without an account yet. */
  readonly account: Pick<UserRow, 'disabled_at' | 'is_super_admin'> | undefined
  readonly credential: Credential
  /** The set-up token, the command line and a valid invite replace platform access. */
  readonly isPreapproved?: boolean
}

/** Why the address is refused. */
export type Refusal = 'disabled' | 'sso-required' | 'access-required'

/** Undefined when the address is admitted. */
export async function findRefusal(
  { emailKey, account, credential, isPreapproved = false }: Candidate,
  stores: Pick<AccountStores, 'platformAccess' | 'sso'>,
): Promise<Refusal | undefined> {
  if (account !== undefined && isDisabled(account)) return 'disabled'
  const enforced = await stores.sso.findEnforcedSso(toDomain(emailKey))
  const isEnforcedProvider = credential.method === 'sso' && credential.ssoConfigId === enforced?.id
  // Super admins keep their password, so that somebody can sign in when the identity provider fails.
  if (enforced !== undefined && !isEnforcedProvider && account?.is_super_admin !== 1)
    return 'sso-required'
  const isKnown = account !== undefined || isPreapproved || (await hasAccess(emailKey, stores))
  return isKnown ? undefined : 'access-required'
}

/** Also checked on every request of a session: disabling a person takes effect at once. */
export function isDisabled({ disabled_at }: Pick<UserRow, 'disabled_at'>): boolean {
  return disabled_at !== null
}

/** Whether a super admin has approved the address or its domain. */
export function hasAccess(
  emailKey: string,
  { platformAccess }: Pick<AccountStores, 'platformAccess'>,
): Promise<boolean> {
  return platformAccess.hasAny([emailKey, `@${toDomain(emailKey)}`])
}

/** For a caller who has authenticated as the person that the refusal is about. */
export function toFailure(refusal: Refusal): Failure {
  switch (refusal) {
    case 'disabled':
      return new Failure('FORBIDDEN', 'This account is disabled.')
    case 'sso-required':
      return new Failure('FORBIDDEN', 'This address signs in with single sign-on only.')
    case 'access-required':
      return new Failure(
        'PLATFORM_ACCESS_REQUIRED',
        'This e-mail address is not approved for this service.',
      )
  }
}
