import type { Input } from '@assay/contract/endpoint.ts'
import type { signUp as signUpEndpoint } from '@assay/contract/sign-in.ts'
import { findRefusal, toFailure } from '../../accounts/admission.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { toEmailKey } from '../../accounts/email.ts'
import { acceptInvite, inviteNotFound } from '../../accounts/invite.ts'
import { type ConnectedClient, networkWaiter } from '../../accounts/network-waiter.ts'
import { hashOfToken } from '../../accounts/secret-token.ts'
import { sessionStarted, startSession } from '../../accounts/session.ts'
import { newUser, userCreated } from '../../accounts/user.ts'
import { Failure } from '../../platform/failure.ts'
import type { Passwords } from '../../platform/password-hash.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { SignIn, SignInPorts } from './sign-in.ts'

type Form = Input<typeof signUpEndpoint>['body']

const credential = { method: 'password' } as const

export interface SignUpPorts extends SignInPorts {
  /** For all but signing in. */
  readonly passwords: Passwords
}

/** Creates an account and a session for an approved or invited address, and accepts the invite. */
export async function signUp(
  form: Form,
  client: ConnectedClient,
  { accounts, passwords, rateLimiter, clock }: SignUpPorts,
): Promise<SignIn> {
  const attempt = await rateLimiter.enterNetwork(client.address)
  // Refused before the password is hashed, which takes long, and checked again with the insert.
  const { isInvited } = await checkAdmission(form, accounts)
  if (!isInvited) await rateLimiter.countAccount(client.address)
  const passwordHash = await passwords.hash(form.password, networkWaiter(client))
  const at = clock.now().toISOString()
  const input = { ...form, passwordHash, isVerified: false, isSuperAdmin: false }
  const user = newUser(input, at)
  const signedUp = await accounts.transaction(async (stores) => {
    await checkAdmission(form, stores)
    if (!(await stores.users.insert(user))) throw isTaken()
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
  await attempt.succeeded(user.email_key)
  return signedUp
}

/** Throws unless the address may sign up now. */
async function checkAdmission(
  { email, invite_token: token }: Form,
  stores: AccountStores,
): Promise<{ readonly isInvited: boolean }> {
  // The first person needs the set-up token.
  if (!(await stores.installation.isSetUp())) throw toFailure('access-required')
  const emailKey = toEmailKey(email)
  const isInvited = await isInviteFor(emailKey, token, stores)
  const candidate = { emailKey, account: undefined, credential, isPreapproved: isInvited }
  const refusal = await findRefusal(candidate, stores)
  if (refusal !== undefined) throw toFailure(refusal)
  if (token !== undefined && !isInvited) throw inviteNotFound()
  if ((await stores.users.findByEmailKey(emailKey)) !== undefined) throw isTaken()
  return { isInvited }
}

async function isInviteFor(
  emailKey: string,
  token: string | undefined,
  { invites, clock }: AccountStores,
): Promise<boolean> {
  if (token === undefined) return false
  const invite = await invites.findPending(hashOfToken(token), await clock.now())
  return invite?.email_key === emailKey
}

const isTaken = () =>
  new Failure('CONFLICT', 'There is already an account for this e-mail address.')
