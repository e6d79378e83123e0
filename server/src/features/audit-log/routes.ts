import { exportAuditLog, listAuditLog } from '@assay/contract/audit-log.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { auditLines, auditPage } from '../../accounts/audit-page.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Pick<AccountStores, 'audit'>
  readonly clock: Clock
}

export function registerAuditLog({ bind, accounts, clock }: Ports): void {
  bind(listAuditLog, ({ caller, query }) => auditPage(caller.organizationId, query, accounts))

  bind(exportAuditLog, async ({ caller: { user, organizationId }, client, query, signal }) => {
    await recordEvent(
      { action: 'audit_log.exported', organizationId, targetId: organizationId, details: {} },
      userActor(user, client),
      clock.now().toISOString(),
      accounts,
    )
    return auditLines(organizationId, query, signal, accounts)
  })
}
