import { type Kysely, sql } from 'kysely'
import type { Migration } from './migrations.ts'

/*
 * Brings a database to the newest form. Each step is one transaction with the note that it was taken, so a
 * crash leaves the database before or after a step and never within. Servers that start together take turns.
 */

/** Refuses a database that knows steps which this version does not: an older server must not write to it. */
export async function migrate(
  db: Kysely<unknown>,
  migrations: readonly Migration[],
  takeTurn: (transaction: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  let isNewest = false
  while (!isNewest) {
    isNewest = await db.transaction().execute(async (transaction) => {
      await takeTurn(transaction)
      // Read within the transaction: another server may have taken the next step in the meantime.
      const next = nextAfter(await taken(transaction), migrations)
      if (next === undefined) return true
      await take(next, transaction)
      return false
    })
  }
}

async function taken(transaction: Kysely<unknown>): Promise<ReadonlySet<string>> {
  await sql`
    create table if not exists migrations (
      name      text not null primary key,
      taken_at  text not null
    )
  `.execute(transaction)
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(transaction)
  return new Set(rows.map((row) => row.name))
}

function nextAfter(
  done: ReadonlySet<string>,
  migrations: readonly Migration[],
): Migration | undefined {
  const known = new Set(migrations.map((migration) => migration.name))
  const foreign = [...done].find((name) => !known.has(name))
  if (foreign !== undefined) {
    throw new Error(
      `The accounts database was last used by a newer version of Assay (it has taken the step "${foreign}", which this version does not know). Start that version, or restore a backup from before the upgrade.`,
    )
  }
  return migrations.find((migration) => !done.has(migration.name))
}

async function take({ name, statements }: Migration, transaction: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(transaction)
  const now = new Date().toISOString()
  await sql`insert into migrations (name, taken_at) values (${name}, ${now})`.execute(transaction)
}
