import type { Kysely } from 'kysely'
import type { SsoDomainRow, SsoVerifiedDomainRow } from './sso-tables.ts'
import type { Tables } from './tables.ts'

/** A domain that a configuration claims, and whether it is verified for that configuration. */
export type NamedDomain = SsoDomainRow & {
  readonly verified_at: SsoVerifiedDomainRow['verified_at'] | null
  readonly verified_by: SsoVerifiedDomainRow['verified_by'] | null
}

export function ssoDomainStore(db: Kysely<Tables>) {
  return {
    /** Ordered by name. */
    list(id: string): Promise<NamedDomain[]> {
      return db
        .selectFrom('sso_domains')
        .leftJoin('sso_verified_domains', (join) =>
          join
            .onRef('sso_verified_domains.domain', '=', 'sso_domains.domain')
            .onRef('sso_verified_domains.sso_config_id', '=', 'sso_domains.sso_config_id'),
        )
        .selectAll('sso_domains')
        .select(['sso_verified_domains.verified_at', 'sso_verified_domains.verified_by'])
        .where('sso_domains.sso_config_id', '=', id)
        .orderBy('sso_domains.domain')
        .execute()
    },

    async insert(domain: SsoDomainRow): Promise<void> {
      await db.insertInto('sso_domains').values(domain).execute()
    },

    /** Also removes its verification. */
    async remove(id: string, domain: string): Promise<void> {
      await db
        .deleteFrom('sso_domains')
        .where('sso_config_id', '=', id)
        .where('domain', '=', domain)
        .execute()
    },

    /**
     * False when the domain is already verified, for any configuration; a concurrent call waits for the
     * first transaction.
     */
    async insertVerified(domain: SsoVerifiedDomainRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('sso_verified_domains')
        .values(domain)
        .onConflict((conflict) => conflict.column('domain').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
  }
}
