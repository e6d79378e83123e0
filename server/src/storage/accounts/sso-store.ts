import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export function ssoStore(db: Kysely<Tables>) {
  return {
    /** The configuration through which alone people of this domain may sign in; undefined where they are free to choose. */
    findEnforcedSso(domain: string): Promise<{ readonly id: string } | undefined> {
      return db
        .selectFrom('sso_domains')
        .innerJoin('sso_configs', 'sso_configs.id', 'sso_domains.sso_config_id')
        .select('sso_configs.id')
        .where('sso_domains.domain', '=', domain)
        .where('sso_domains.verified_at', 'is not', null)
        .where('sso_configs.enforced', '=', 1)
        .executeTakeFirst()
    },
  }
}
