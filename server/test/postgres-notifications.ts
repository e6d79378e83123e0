import { Kysely } from 'kysely'
import type { Notifications } from '../src/platform/notifications.ts'
import { postgresDialect } from '../src/storage/accounts/postgres-dialect.ts'
import {
  type NotificationTimes,
  openPostgresNotifications,
} from '../src/storage/accounts/postgres-notifications.ts'
import type { Tables } from '../src/storage/accounts/tables.ts'
import { silent } from './accounts-database.ts'

/*
 * The notifications of one process, with a pool of their own instead of that of an accounts database.
 */

export interface TestNotifications extends Notifications {
  readonly pool: Kysely<Tables>
}

/** `listenUrl`: where the connection that listens is opened, if not where the pool is. */
export function openTestNotifications(
  url: string,
  times: Partial<NotificationTimes> = {},
  listenUrl = url,
): TestNotifications {
  const options = { maxConnections: 2, statementTimeoutMs: 5_000, log: silent }
  const pool = new Kysely<Tables>({ dialect: postgresDialect(url, options) })
  const notifications = openPostgresNotifications({ url: listenUrl, pool, log: silent }, times)
  return {
    ...notifications,
    pool,
    async close() {
      await notifications.close()
      await pool.destroy()
    },
  }
}
