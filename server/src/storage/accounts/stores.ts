import type { Kysely } from 'kysely'
import { auditStore } from './audit-store.ts'
import { installationStore } from './installation-store.ts'
import { membershipStore } from './membership-store.ts'
import { organizationStore } from './organization-store.ts'
import { platformAccessStore } from './platform-access-store.ts'
import { projectStore } from './project-store.ts'
import { sessionStore } from './session-store.ts'
import { ssoStore } from './sso-store.ts'
import type { Tables } from './tables.ts'
import { tracingKeyStore } from './tracing-key-store.ts'
import { userStore } from './user-store.ts'

export type AccountStores = ReturnType<typeof accountStores>

/** The statements on every table, over a database or within a transaction. */
export function accountStores(db: Kysely<Tables>) {
  return {
    installation: installationStore(db),
    users: userStore(db),
    organizations: organizationStore(db),
    memberships: membershipStore(db),
    projects: projectStore(db),
    tracingKeys: tracingKeyStore(db),
    sessions: sessionStore(db),
    audit: auditStore(db),
    platformAccess: platformAccessStore(db),
    sso: ssoStore(db),
  }
}
