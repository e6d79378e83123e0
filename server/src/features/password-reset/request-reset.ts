import type { Input } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { choosePasswordPage } from '@assay/contract/page-links.ts'
import type { requestPasswordReset } from '@assay/contract/sign-in.ts'
import { findRefusal } from '../../accounts/admission.ts'
import { anonymousActor } from '../../accounts/audit.ts'
import type { ClientFacts } from '../../accounts/caller.ts'
import { toEmailKey } from '../../accounts/email.ts'
import { makePasswordLink } from '../../accounts/password-link.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Mail, Mailer } from '../../platform/mail.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'

interface Ports {
  readonly accounts: Accounts
  readonly mailer: Mailer
  readonly clock: Clock
  readonly baseUrl: string
}

/** A person gets at most one mail within this time. */
const oneMailMs = 2 * 60_000

/**
 * Mails a link if the address has an account that may sign in with a password. Do not await it before the response:
 * its duration would reveal whether there is an account.
 */
export async function requestReset(
  { email, return_to: next }: Input<typeof requestPasswordReset>['body'],
  client: ClientFacts,
  { accounts, mailer, clock, baseUrl }: Ports,
): Promise<void> {
  const made = await accounts.transaction(async (stores) => {
    const found = await stores.users.findByEmailKey(toEmailKey(email))
    // Locked, so that concurrent requests send one mail.
    const user = found && (await stores.users.lock(found.id))
    if (user === undefined || !(await maySignIn(user, stores))) return undefined
    const last = await stores.passwordLinks.findByUser(user.id)
    if (last?.by_mail === 1 && isRecent(last.created_at, await stores.clock.now())) return undefined
    const at = clock.now().toISOString()
    return { user, token: await makePasswordLink(user, true, anonymousActor(client), at, stores) }
  })
  if (made === undefined) return
  // To the address of the account: two spellings with the same key may be different mailboxes.
  await mailer.send(resetMail(made.user.email, baseUrl + choosePasswordPage(made.token, next)))
}

/** A time in the future was stored before the clock was set back, and must not prevent a mail until then. */
function isRecent(at: Timestamp, now: Timestamp): boolean {
  const age = Date.parse(now) - Date.parse(at)
  return age >= 0 && age < oneMailMs
}

async function maySignIn(
  account: UserRow,
  stores: Parameters<typeof findRefusal>[1],
): Promise<boolean> {
  const candidate = {
    emailKey: account.email_key,
    account,
    credential: { method: 'password' },
  } as const
  return (await findRefusal(candidate, stores)) === undefined
}

function resetMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Choose a new password for Assay',
    text: [
      'A password reset was requested for this address at Assay. If it was you, choose a new password here:',
      link,
      `The link can be used once, within ${limits.passwordLinkMinutes.value} minutes. If it was not you, there is nothing to do: your password stays as it is.`,
    ].join('\n\n'),
  }
}
