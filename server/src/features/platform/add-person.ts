import { choosePasswordPage } from '@assay/contract/page-links.ts'
import { type Actor, recordEvent } from '../../accounts/audit.ts'
import { makePasswordLink } from '../../accounts/password-link.ts'
import { newUser, userCreated } from '../../accounts/user.ts'
import { Failure } from '../../platform/failure.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { checkSuperAdminLimit } from './people.ts'

export interface NewPerson {
  readonly email: string
  readonly name: string
  readonly isSuperAdmin: boolean
}

/**
 * Creates an account without a password, for an address that the actor approves. Returns the path of the page where
 * the person chooses a password. Counts as set-up, so the first person must be a super admin. Throws CONFLICT otherwise,
 * when the address has an account, and when there are as many super admins as there can be.
 */
export function addPerson(
  input: NewPerson,
  actor: Actor,
  at: Timestamp,
  accounts: Accounts,
): Promise<string> {
  const user = newUser({ ...input, passwordHash: null, isVerified: true }, at)
  return accounts.transaction(async (stores) => {
    if (!input.isSuperAdmin && !(await stores.installation.isSetUp())) {
      throw new Failure('CONFLICT', 'The first person must be a super admin.')
    }
    await stores.installation.claim(at)
    await stores.installation.lock()
    if (input.isSuperAdmin) await checkSuperAdminLimit(stores)
    if (!(await stores.users.insert(user))) {
      throw new Failure('CONFLICT', `${user.email} already has an account.`)
    }
    await recordEvent(userCreated(user, 'command line'), actor, at, stores)
    return choosePasswordPage(await makePasswordLink(user, false, actor, at, stores))
  })
}
