import type { Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { JobRow } from './service-tables.ts'
import type { Tables } from './tables.ts'

/** The jobs of one kind of one organization; `organizationId` is null for the jobs of the deployment itself. */
export interface JobQueue {
  readonly kind: string
  readonly organizationId: string | null
}

export interface DueQuery {
  readonly kinds: readonly string[]
  readonly now: Timestamp
  readonly exceptJobs?: readonly string[]
  readonly exceptOrganizations?: readonly string[]
}

/** Finished jobs are kept by kind and project; `projectId` is null for the jobs of the deployment itself. */
interface JobHistory {
  readonly kind: string
  readonly projectId: string | null
}

export interface Lease {
  readonly worker: string
  readonly until: Timestamp
}

export interface JobQuery {
  readonly limit: number
  /** The id of a job: only older ones. */
  readonly before?: string | undefined
  /** All by default. */
  readonly kinds?: readonly string[]
  readonly state?: JobRow['state'] | undefined
}

type StoredStep = Pick<JobRow, 'position' | 'progress' | 'available_at'>
type End = Pick<JobRow, 'state' | 'progress' | 'problem' | 'finished_at'>

const active = ['queued', 'running'] as const
const finished = ['completed', 'failed', 'cancelled'] as const

/** More than one pass has to delete; the rest follows with the next pass. */
const prunedAtOnce = 500

export function jobStore(db: Kysely<Tables>) {
  return {
    ...workerStatements(db),

    /** Newest first. */
    list: (projectId: string, query: JobQuery) => list(db, projectId, query),

    find(projectId: string, id: string): Promise<JobRow | undefined> {
      return db
        .selectFrom('jobs')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .executeTakeFirst()
    },

    /** False when an active job has the same unique key. */
    async insert(job: JobRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('jobs')
        .values(job)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    /** Returns the job after the change; undefined when the project has no active job with that id. */
    cancel(projectId: string, id: string, at: Timestamp): Promise<JobRow | undefined> {
      return db
        .updateTable('jobs')
        .set({ state: 'cancelled', worker: null, finished_at: at })
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .where('state', 'in', active)
        .returningAll()
        .executeTakeFirst()
    },

    async countByState(): Promise<readonly JobCount[]> {
      const rows = await db
        .selectFrom('jobs')
        .select(['kind', 'state', (job) => job.fn.countAll<number | string>().as('jobs')])
        .groupBy(['kind', 'state'])
        .execute()
      return rows.map(({ jobs, ...row }) => ({ ...row, count: Number(jobs) }))
    },
  }
}

export interface JobCount extends Pick<JobRow, 'kind' | 'state'> {
  readonly count: number
}

/**
 * What the job runner needs. A job is due when it is active and `available_at` has passed. Taking a lease moves `available_at` to its end, so
 * a job that is leased, waits for a retry or is scheduled for later is skipped by one condition.
 */
function workerStatements(db: Kysely<Tables>) {
  const leased = (id: string, worker: string) =>
    db
      .updateTable('jobs')
      .where('id', '=', id)
      .where('state', '=', 'running')
      .where('worker', '=', worker)

  return {
    /** Queues of these kinds with a due job, the longest due first, at most 1,000. */
    listDue: (query: DueQuery) => listDue(db, query),

    /** Leases the due job of the queue that has waited longest; undefined when none is left. */
    acquire: (queue: JobQueue, lease: Lease, now: Timestamp, except: readonly string[]) =>
      acquire(db, queue, lease, now, except),

    /** False when the lease is lost: the job was canceled, removed, or taken by another worker. */
    async renew(id: string, { worker, until }: Lease): Promise<boolean> {
      const { numUpdatedRows } = await leased(id, worker)
        .set({ available_at: until })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Stores what a step has done and starts counting attempts for the next one. False as for `renew`. */
    async advance(id: string, worker: string, step: StoredStep): Promise<boolean> {
      const { numUpdatedRows } = await leased(id, worker)
        .set({ ...step, attempts: 1 })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Releases the lease. `attempts` is kept when the step is to be retried. */
    async release(
      id: string,
      worker: string,
      change: Pick<JobRow, 'available_at'> & Partial<Pick<JobRow, 'attempts' | 'progress'>>,
    ): Promise<void> {
      await leased(id, worker)
        .set({ worker: null, ...change })
        .execute()
    },

    async finish(id: string, worker: string, end: End): Promise<void> {
      await leased(id, worker)
        .set({ ...end, worker: null, position: null })
        .execute()
    },

    /** Queues a scheduled job for its next run. */
    async reschedule(
      id: string,
      worker: string,
      next: Pick<JobRow, 'available_at' | 'problem'>,
    ): Promise<void> {
      const fresh = { state: 'queued', worker: null, position: null, started_at: null } as const
      await leased(id, worker)
        .set({ ...fresh, attempts: 0, ...next })
        .execute()
    },

    /** For a queued job of a kind that repeats: the clock may have been ahead when it was queued. */
    async bringForward(kind: string, latest: Timestamp): Promise<void> {
      await db
        .updateTable('jobs')
        .set({ available_at: latest })
        .where('kind', '=', kind)
        .where('state', '=', 'queued')
        .where('available_at', '>', latest)
        .execute()
    },

    /** Removes finished jobs: beyond the newest `keep` of the kind and project, and any when older than `before`. */
    prune: (history: JobHistory, keep: number, before: Timestamp) =>
      prune(db, history, keep, before),
  }
}

function list(
  db: Kysely<Tables>,
  projectId: string,
  { limit, before, kinds, state }: JobQuery,
): Promise<JobRow[]> {
  let jobs = db.selectFrom('jobs').selectAll().where('project_id', '=', projectId)
  if (kinds !== undefined) jobs = jobs.where('kind', 'in', kinds)
  if (before !== undefined) jobs = jobs.where('id', '<', before)
  if (state !== undefined) jobs = jobs.where('state', '=', state)
  return jobs.orderBy('id', 'desc').limit(limit).execute()
}

async function listDue(
  db: Kysely<Tables>,
  { kinds, now, exceptJobs = [], exceptOrganizations = [] }: DueQuery,
): Promise<readonly JobQueue[]> {
  if (kinds.length === 0) return []
  let due = db
    .selectFrom('jobs')
    .select(['kind', 'organization_id as organizationId'])
    .where('kind', 'in', kinds)
    .where('state', 'in', active)
    .where('available_at', '<=', now)
  if (exceptJobs.length > 0) due = due.where('id', 'not in', exceptJobs)
  if (exceptOrganizations.length > 0) {
    due = due.where((job) =>
      job.or([
        job('organization_id', 'is', null),
        job('organization_id', 'not in', exceptOrganizations),
      ]),
    )
  }
  return await due
    .groupBy(['kind', 'organization_id'])
    .orderBy((job) => job.fn.min('available_at'))
    .limit(1000)
    .execute()
}

async function acquire(
  db: Kysely<Tables>,
  { kind, organizationId }: JobQueue,
  { worker, until }: Lease,
  now: Timestamp,
  except: readonly string[],
): Promise<JobRow | undefined> {
  let first = db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('organization_id', organizationId === null ? 'is' : '=', organizationId)
    .where('state', 'in', active)
    .where('available_at', '<=', now)
  if (except.length > 0) first = first.where('id', 'not in', except)
  return await db
    .updateTable('jobs')
    .set((job) => ({
      state: 'running',
      worker,
      available_at: until,
      attempts: job('attempts', '+', 1),
      started_at: job.fn.coalesce('started_at', job.val(now)),
    }))
    .where('id', '=', first.orderBy('available_at').orderBy('id').limit(1))
    // Repeated, because PostgreSQL evaluates only these again when another worker has just changed the row.
    .where('state', 'in', active)
    .where('available_at', '<=', now)
    .returningAll()
    .executeTakeFirst()
}

async function prune(
  db: Kysely<Tables>,
  { kind, projectId }: JobHistory,
  keep: number,
  before: Timestamp,
): Promise<void> {
  const done = db.selectFrom('jobs').select('id').where('state', 'in', finished)
  const surplus = done
    .where('kind', '=', kind)
    .where('project_id', projectId === null ? 'is' : '=', projectId)
    .orderBy('id', 'desc')
    .offset(keep)
    .limit(prunedAtOnce)
  const old = done.where('finished_at', '<', before).limit(prunedAtOnce)
  for (const ids of [surplus, old]) await db.deleteFrom('jobs').where('id', 'in', ids).execute()
}
