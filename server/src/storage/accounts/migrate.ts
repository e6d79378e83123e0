import { type Kysely, sql } from 'kysely'
import type { Migration } from './migrations.ts'

/*
 * Migrates a database. Each migration is one transaction together with its record, so a crash leaves the
 * database before or after a migration. Servers that start at the same time take turns.
 */

/**
 * Refuses a database with migrations that this version does not know: an older server must not write to it.
 */
export async function migrate(
  db: Kysely<unknown>,
  migrations: readonly Migration[],
  takeTurn: (transaction: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  let isNewest = false
  while (!isNewest) {
    isNewest = await db.transaction().execute(async (transaction) => {
      await takeTurn(transaction)
      // Read within the transaction: another server may have applied the next migration in the meantime.
      const next = nextAfter(await readApplied(transaction), migrations)
      if (next === undefined) return true
      await apply(next, transaction)
      return false
    })
  }
}

async function readApplied(transaction: Kysely<unknown>): Promise<ReadonlySet<string>> {
  await sql`
    create table if not exists migrations (
      name      text not null primary key,
      applied_at  text not null
    )
  `.execute(transaction)
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(transaction)
  return new Set(rows.map((row) => row.name))
}

function nextAfter(
  applied: ReadonlySet<string>,
  migrations: readonly Migration[],
): Migration | undefined {
  const known = new Set(migrations.map((migration) => migration.name))
  const unknown = [...applied].find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new Error(
      `The accounts database was last used by a newer version of Assay or a build from before the first release (it has the migration "${unknown}", which this version does not have). Start that version, or restore a backup from before the upgrade.`,
    )
  }
  return migrations.find((migration) => !applied.has(migration.name))
}

async function apply({ name, statements }: Migration, transaction: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(transaction)
  const now = new Date().toISOString()
  await sql`insert into migrations (name, applied_at) values (${name}, ${now})`.execute(transaction)
}
