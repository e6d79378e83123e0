import {
  addPlatformAccess,
  grantSuperAdmin,
  listAccounts,
  listPlatformAccess,
  listPlatformAuditLog,
  listSuperAdmins,
  removePlatformAccess,
  revokeSuperAdmin,
  updateAccount,
} from '@assay/contract/platform.ts'
import { userActor } from '../../accounts/audit.ts'
import { auditPage } from '../../accounts/audit-page.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { addAccess, listAccess, removeAccess } from './access.ts'
import { setDisabled, setSuperAdmin, toApiAccount } from './people.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly clock: Clock
}

export function registerPlatform({ bind, accounts, clock }: Ports): void {
  const now = () => clock.now().toISOString()

  bind(listPlatformAccess, () => listAccess(accounts))

  bind(addPlatformAccess, ({ caller, client, body }) =>
    addAccess(body.pattern, userActor(caller.user, client), now(), accounts),
  )

  bind(removePlatformAccess, async ({ caller, client, params }) => {
    await removeAccess(params.accessId, userActor(caller.user, client), now(), accounts)
    return { status: 'removed' as const }
  })

  bind(listPlatformAuditLog, ({ query }) => auditPage(null, query, accounts))

  registerPeople({ bind, accounts, clock })
}

function registerPeople({ bind, accounts, clock }: Ports): void {
  const now = () => clock.now().toISOString()

  bind(listAccounts, async ({ query: { limit, cursor, q } }) => {
    const rows = await accounts.users.list({ limit: limit + 1, after: cursor, part: q })
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return {
      data: page.map(toApiAccount),
      meta: { pageSize: page.length, cursor: last?.email_key ?? null },
    }
  })

  bind(updateAccount, async ({ caller, client, params, body }) => {
    const actor = userActor(caller.user, client)
    return toApiAccount(await setDisabled(params.userId, body.disabled, actor, now(), accounts))
  })

  bind(listSuperAdmins, async () => {
    const superAdmins = await accounts.users.listSuperAdmins()
    return superAdmins.map(toApiAccount).sort((one, other) => (one.email < other.email ? -1 : 1))
  })

  bind(grantSuperAdmin, async ({ caller, client, params }) => {
    const actor = userActor(caller.user, client)
    return toApiAccount(await setSuperAdmin(params.userId, true, actor, now(), accounts))
  })

  bind(revokeSuperAdmin, async ({ caller, client, params }) => {
    const actor = userActor(caller.user, client)
    await setSuperAdmin(params.userId, false, actor, now(), accounts)
    return { status: 'revoked' as const }
  })
}
