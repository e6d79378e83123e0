import { type Kysely, sql } from 'kysely'
import type { Log } from '../../platform/log.ts'
import type { AccountsRow } from './accounts-file.ts'
import { inTransaction } from './move-accounts.ts'

/*
 * Records in accounts that are in PostgreSQL already that the telemetry is in ClickHouse now.
 */

export interface TelemetrySwitch {
  readonly convert: (table: string, row: AccountsRow) => AccountsRow
  readonly idempotencyRecords: () => Iterable<AccountsRow>
}

/** In one transaction. */
export async function switchToClickHouse(
  url: string,
  log: Log,
  { convert, idempotencyRecords }: TelemetrySwitch,
): Promise<void> {
  await inTransaction({ url, log }, async (transaction) => {
    for (const table of ['evaluation_rules', 'jobs']) {
      await convertPositions(transaction, table, convert)
    }
    for (const row of idempotencyRecords()) {
      const columns = Object.keys(row)
      const values = sql.join(columns.map((name) => row[name]))
      await sql`insert into idempotency_records (${sql.join(columns.map((name) => sql.ref(name)))})
        values (${values}) on conflict do nothing`.execute(transaction)
    }
    await sql`update installation_identity set telemetry = 'ClickHouse'`.execute(transaction)
  })
}

async function convertPositions(
  db: Kysely<unknown>,
  table: string,
  convert: TelemetrySwitch['convert'],
): Promise<void> {
  const { rows } = await sql<AccountsRow>`
    select * from ${sql.table(table)} where position is not null
  `.execute(db)
  for (const row of rows) {
    const { position } = convert(table, row)
    if (position === row['position']) continue
    await sql`update ${sql.table(table)} set position = ${position} where id = ${row['id']}`.execute(
      db,
    )
  }
}
