import type { Input } from '@assay/contract/endpoint.ts'
import type { signUp as signUpEndpoint } from '@assay/contract/sign-in.ts'
import { findRefusal, toFailure } from '../../accounts/admission.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts } from '../../accounts/caller.ts'
import { acceptInvite, inviteNotFound } from '../../accounts/invite.ts'
import { hashOfToken } from '../../accounts/secret-token.ts'
import { sessionStarted, startSession } from '../../accounts/session.ts'
import { newUser, userCreated } from '../../accounts/user.ts'
import { Failure } from '../../platform/failure.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { UserRow } from '../../storage/accounts/tables.ts'
import type { SignIn, SignInPorts } from './sign-in.ts'

type Form = Input<typeof signUpEndpoint>['body']

const credential = { method: 'password' } as const

/** Creates an account and a session for an approved or invited address, and accepts the invite. */
export async function signUp(
  form: Form,
  client: ClientFacts,
  { accounts, passwords, rateLimiter, clock }: SignInPorts,
): Promise<SignIn> {
  const attempt = rateLimiter.enterNetwork(client.address)
  const passwordHash = await passwords.hash(form.password)
  const at = clock.now().toISOString()
  const input = { ...form, passwordHash, isVerified: false, isSuperAdmin: false }
  const user = newUser(input, at)
  const signedUp = await accounts.transaction(async (stores) => {
    // The first person needs the set-up token.
    if (!(await stores.installation.isSetUp())) throw toFailure('access-required')
    const isInvited = await isInviteFor(user, form.invite_token, stores)
    await refuse(user, isInvited, stores)
    if (form.invite_token !== undefined && !isInvited) throw inviteNotFound()
    if (!(await stores.users.insert(user))) {
      throw new Failure('CONFLICT', 'There is already an account for this e-mail address.')
    }
    const actor = userActor(user, client)
    await recordEvent(userCreated(user, isInvited ? 'invite' : 'sign-up'), actor, at, stores)
    if (form.invite_token !== undefined) {
      await acceptInvite(form.invite_token, user, actor, stores)
    }
    const session = await startSession(user, credential, client, stores, clock)
    if (typeof session === 'string') throw toFailure(session)
    await recordEvent(sessionStarted(user, credential), actor, at, stores)
    return { user, session }
  })
  attempt.succeeded(user.email_key)
  return signedUp
}

async function isInviteFor(
  user: UserRow,
  token: string | undefined,
  { invites, clock }: AccountStores,
): Promise<boolean> {
  if (token === undefined) return false
  const invite = await invites.findPending(hashOfToken(token), await clock.now())
  return invite?.email_key === user.email_key
}

async function refuse(user: UserRow, isPreapproved: boolean, stores: AccountStores): Promise<void> {
  const candidate = { emailKey: user.email_key, account: undefined, credential, isPreapproved }
  const refusal = await findRefusal(candidate, stores)
  if (refusal !== undefined) throw toFailure(refusal)
}
