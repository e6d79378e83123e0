import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/*
 * Which database of ClickHouse has the telemetry of a project. An assignment never changes, so that every process may
 * remember it.
 */

export function projectShardStore(db: Kysely<Tables>) {
  const find = async (projectId: string): Promise<string | undefined> => {
    const row = await db
      .selectFrom('project_shards')
      .select('shard_id')
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    return row?.shard_id
  }
  return {
    find,

    /** Assigns the one of some shards with the fewest projects, unless the project has one; returns what it has then. */
    async assign(projectId: string, shardIds: readonly string[]): Promise<string> {
      const rows = await db
        .selectFrom('project_shards')
        .select(({ fn }) => ['shard_id', fn.countAll().as('projects')])
        .groupBy('shard_id')
        .execute()
      const counts = new Map(rows.map(({ shard_id, projects }) => [shard_id, Number(projects)]))
      const [first, ...others] = shardIds
      if (first === undefined) throw new Error('There is no shard to assign.')
      const countOf = (id: string) => counts.get(id) ?? 0
      const fewest = others.reduce((a, b) => (countOf(b) < countOf(a) ? b : a), first)
      await db
        .insertInto('project_shards')
        .values({ project_id: projectId, shard_id: fewest })
        .onConflict((conflict) => conflict.column('project_id').doNothing())
        .execute()
      return (await find(projectId)) ?? fewest
    },
  }
}
