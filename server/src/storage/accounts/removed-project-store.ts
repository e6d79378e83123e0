import type { Kysely } from 'kysely'
import type { RemovedProjectRow, Tables } from './tables.ts'

export function removedProjectStore(db: Kysely<Tables>) {
  return {
    /** Oldest first. */
    list(): Promise<RemovedProjectRow[]> {
      return db.selectFrom('removed_projects').selectAll().orderBy('removed_at').execute()
    },

    async insert(project: RemovedProjectRow): Promise<void> {
      await db.insertInto('removed_projects').values(project).execute()
    },

    async remove(projectId: string): Promise<void> {
      await db.deleteFrom('removed_projects').where('project_id', '=', projectId).execute()
    },
  }
}
