import { inject } from 'vitest'
import type { Service } from './started-app.ts'

export type Tables = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

const sqliteTables = "select name from sqlite_master where type = 'table'"
const postgresTables = "select tablename as name from pg_tables where schemaname = 'public'"

/** Every row of the accounts database, by table, without the jobs of the deployment, which run by themselves. */
export async function readTables(service: Pick<Service, 'query'>): Promise<Tables> {
  const isScaled = inject('isScaled')
  const found = await service.query(isScaled ? postgresTables : sqliteTables)
  const names = found.map(({ name }) => String(name))
  // PostgreSQL returns changed rows last.
  const order = isScaled ? 'order by 1' : ''
  const tables = await Promise.all(
    names.map(async (name) => {
      const rows = await service.query(`select * from "${name}" ${order}`)
      const isScheduled = (row: (typeof rows)[number]) =>
        name === 'jobs' && row['organization_id'] === null
      return [name, rows.filter((row) => !isScheduled(row))] as const
    }),
  )
  return Object.fromEntries(tables)
}
