import type { Kysely } from 'kysely'
import type { SsoIdentityRow, SsoTestRow } from './sso-tables.ts'
import type { Tables } from './tables.ts'

/** The users of identities at identity providers, and which users have tested a configuration. */
export function ssoIdentityStore(db: Kysely<Tables>) {
  return {
    find(
      id: string,
      issuer: string,
      subject: string,
    ): Promise<Pick<SsoIdentityRow, 'user_id'> | undefined> {
      return db
        .selectFrom('sso_identities')
        .select('user_id')
        .where('sso_config_id', '=', id)
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst()
    },

    /** False when the identity already has a user. */
    async insert(identity: SsoIdentityRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('sso_identities')
        .values(identity)
        .onConflict((conflict) =>
          conflict.columns(['sso_config_id', 'issuer', 'subject']).doNothing(),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    findTest(id: string, userId: string): Promise<SsoTestRow | undefined> {
      return db
        .selectFrom('sso_tests')
        .selectAll()
        .where('sso_config_id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    },

    /** Replaces the user's earlier test. */
    async saveTest(test: SsoTestRow): Promise<void> {
      const { fingerprint, succeeded_at } = test
      await db
        .insertInto('sso_tests')
        .values(test)
        .onConflict((conflict) =>
          conflict.columns(['sso_config_id', 'user_id']).doUpdateSet({ fingerprint, succeeded_at }),
        )
        .execute()
    },
  }
}
