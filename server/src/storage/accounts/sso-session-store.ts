import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Ends sessions after a change to single sign-on. */
export function ssoSessionStore(db: Kysely<Tables>) {
  return {
    /** Ends every session that was authenticated by the configuration. */
    async removeByConfig(ssoConfigId: string): Promise<void> {
      await db.deleteFrom('sessions').where('sso_config_id', '=', ssoConfigId).execute()
    },

    /** Ends the password sessions of all users in the domain, except super admins and the given session. */
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
