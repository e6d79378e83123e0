import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** The sessions that end with a change to single sign-on. */
export function ssoSessionStore(db: Kysely<Tables>) {
  return {
    /** Ends every session that the configuration has vouched for. */
    async removeOfConfig(ssoConfigId: string): Promise<void> {
      await db.deleteFrom('sessions').where('sso_config_id', '=', ssoConfigId).execute()
    },

    /** Ends the sessions by password of everybody in the domain but super admins, and but the one that is named. */
    async removeByPasswordIn(domain: string, keptId: string): Promise<void> {
      await db
        .deleteFrom('sessions')
        .where('method', '=', 'password')
        .where('id', '!=', keptId)
        .where('user_id', 'in', (from) =>
          from
            .selectFrom('users')
            .select('id')
            .where('email_key', 'like', `%@${domain}`)
            .where('is_super_admin', '=', 0),
        )
        .execute()
    },
  }
}
