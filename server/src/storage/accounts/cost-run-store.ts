import type { CostRunStatus, RunStop } from '@assay/contract/cost-runs.ts'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type {
  CostResultRow,
  CostRunBills,
  CostRunHead,
  CostRunRow,
  CostScenarioRow,
} from './cost-run-tables.ts'
import type { Tables } from './tables.ts'

/*
 * Runs of the cost calculator with their scenarios and results. A run that is executed, or whose scenarios are written,
 * has a lease: while it lasts, nothing else starts, and neither the run nor its scenarios are changed by others.
 */

export function costRunStore(db: Kysely<Tables>) {
  return {
    ...runStatements(db),
    ...leaseStatements(db),
    ...scenarioStatements(db),
    ...resultStatements(db),
  }
}

const headColumns = [
  ...(['id', 'project_id', 'created_by', 'status', 'generator', 'model_config_id'] as const),
  ...(['include_multi_turn', 'scenario_count', 'agent_excerpt', 'notices'] as const),
  ...(['agent_nano_usd', 'user_nano_usd', 'tools_nano_usd', 'judge_nano_usd'] as const),
  ...(['execution', 'execution_id', 'running_until', 'is_canceled', 'stopped_by'] as const),
  ...(['created_at', 'started_at', 'finished_at'] as const),
] as const satisfies readonly (keyof CostRunHead)[]

function runStatements(db: Kysely<Tables>) {
  return {
    /** How many runs the project has, and how many scenarios they have as requested. */
    async measure(projectId: string): Promise<{ runs: number; scenarios: number }> {
      const row = await db
        .selectFrom('cost_runs')
        .select(({ fn }) => [
          fn.countAll<number | string>().as('runs'),
          fn.sum<number | string | null>('scenario_count').as('scenarios'),
        ])
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return { runs: Number(row.runs), scenarios: Number(row.scenarios ?? 0) }
    },

    async countScenarios(projectId: string, runId: string): Promise<number> {
      const { count } = await db
        .selectFrom('cost_scenarios')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('project_id', '=', projectId)
        .where('run_id', '=', runId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async insert(row: CostRunRow): Promise<void> {
      await db.insertInto('cost_runs').values(row).execute()
    },

    find(projectId: string, id: string): Promise<CostRunRow | undefined> {
      return selectRun(db, projectId, id).selectAll().executeTakeFirst()
    },

    findHead(projectId: string, id: string): Promise<CostRunHead | undefined> {
      return selectRun(db, projectId, id).select(headColumns).executeTakeFirst()
    },

    /** Newest first. */
    list(
      projectId: string,
      { limit, before }: { readonly limit: number; readonly before: string | undefined },
    ): Promise<CostRunHead[]> {
      return db
        .selectFrom('cost_runs')
        .select(headColumns)
        .where('project_id', '=', projectId)
        .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    /** False when the project has no such run, or it is in progress. */
    async remove(projectId: string, id: string, now: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('cost_runs')
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .where(isFree(now))
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    /** Undefined when the project has no such run, or nothing is in progress. */
    cancel(projectId: string, id: string, now: string): Promise<CostRunHead | undefined> {
      return db
        .updateTable('cost_runs')
        .set({ is_canceled: 1 })
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .where('running_until', '>=', now)
        .returning(headColumns)
        .executeTakeFirst()
    },
  }
}

/** Whether no lease lasts. */
const isFree =
  (now: string) =>
  ({ eb, or }: ExpressionBuilder<Tables, 'cost_runs'>) =>
    or([eb('running_until', 'is', null), eb('running_until', '<', now)])

/** In a transaction, before whose end nothing takes a lease. False when the project has no such run, or it is in progress. */
async function lockFree(
  db: Kysely<Tables>,
  projectId: string,
  id: string,
  now: string,
): Promise<boolean> {
  // An update, because SQLite has no other lock of a row.
  const { numUpdatedRows } = await db
    .updateTable('cost_runs')
    .set(({ ref }) => ({ execution_id: ref('execution_id') }))
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where(isFree(now))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const selectRun = (db: Kysely<Tables>, projectId: string, id: string) =>
  db.selectFrom('cost_runs').where('project_id', '=', projectId).where('id', '=', id)

/** The execution or generation of a run, by its lease. */
export interface CostRunLease {
  readonly projectId: string
  readonly runId: string
  readonly executionId: string
}

interface LeaseTime {
  readonly now: string
  readonly until: string
}

/** What an execution has spent since its bill before. */
export interface CostRunBill extends CostRunBills {
  readonly billId: string
}

export type RunOutcome = Partial<
  Pick<CostRunRow, 'status' | 'execution' | 'notices' | 'stopped_by' | 'started_at' | 'finished_at'>
>

/** What a generation starts with: an execution that was killed is partial, and a partial run keeps its reason. */
function withoutKilled({ eb, ref }: ExpressionBuilder<Tables, 'cost_runs'>) {
  const isKilled = eb('status', '=', 'running')
  const status = eb.case().when(isKilled).then('partial').else(ref('status')).end()
  const stop = eb
    .case()
    .when('status', '=', 'draft')
    .then(null)
    .when(isKilled)
    .then('service_stopped')
    .else(ref('stopped_by'))
    .end()
  return {
    status: status.$castTo<CostRunStatus>(),
    stopped_by: stop.$castTo<RunStop | null>(),
  }
}

function leaseStatements(db: Kysely<Tables>) {
  const held = ({ projectId, runId, executionId }: CostRunLease) =>
    db
      .updateTable('cost_runs')
      .where('project_id', '=', projectId)
      .where('id', '=', runId)
      .where('execution_id', '=', executionId)

  const take = ({ projectId, runId, executionId }: CostRunLease, { now, until }: LeaseTime) =>
    db
      .updateTable('cost_runs')
      .set({ execution_id: executionId, running_until: until, is_canceled: 0 })
      .where('project_id', '=', projectId)
      .where('id', '=', runId)
      .where(isFree(now))

  return {
    lockFree: (projectId: string, id: string, now: string) => lockFree(db, projectId, id, now),

    /** False when the project has no such run, or it is in progress. Until `setExecution`, it has its last execution. */
    async start(lease: CostRunLease, time: LeaseTime): Promise<boolean> {
      const { numUpdatedRows } = await take(lease, time)
        .set({ status: 'running', started_at: time.now, finished_at: null, stopped_by: null })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** As JSON. Also locks the lease: false when it was lost. */
    async setExecution(lease: CostRunLease, execution: string): Promise<boolean> {
      const { numUpdatedRows } = await held(lease).set({ execution }).executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Starts to write scenarios. False when the project has no such run, or it is in progress. */
    async startGeneration(lease: CostRunLease, time: LeaseTime): Promise<boolean> {
      const { numUpdatedRows } = await take(lease, time).set(withoutKilled).executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** False when it is to end: it was canceled, or the lease was lost because something else has started. */
    async extend(lease: CostRunLease, until: string): Promise<boolean> {
      const { numUpdatedRows } = await held(lease)
        .set({ running_until: until })
        .where('is_canceled', '=', 0)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** The same, without extending the lease. */
    async mayContinue({ projectId, runId, executionId }: CostRunLease): Promise<boolean> {
      const row = await selectRun(db, projectId, runId)
        .select('id')
        .where('execution_id', '=', executionId)
        .where('is_canceled', '=', 0)
        .executeTakeFirst()
      return row !== undefined
    },

    /** In a transaction, before whose end nothing else takes the lease. False when it was lost. */
    async lock(lease: CostRunLease): Promise<boolean> {
      const { numUpdatedRows } = await held(lease)
        .set({ execution_id: lease.executionId })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Ends the lease. False when it was lost. */
    async finish(lease: CostRunLease, outcome: RunOutcome): Promise<boolean> {
      const { numUpdatedRows } = await held(lease)
        .set({ ...outcome, execution_id: null, running_until: null, is_canceled: 0 })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}

function scenarioStatements(db: Kysely<Tables>) {
  return {
    /** A scenario whose position is already filled is left out. */
    async insertScenarios(rows: readonly CostScenarioRow[]): Promise<void> {
      if (rows.length === 0) return
      await db
        .insertInto('cost_scenarios')
        .values([...rows])
        .onConflict((conflict) => conflict.columns(['run_id', 'position']).doNothing())
        .execute()
    },

    /** By position, from `from` on. */
    listScenarios(
      projectId: string,
      runId: string,
      { from, limit }: { readonly from: number; readonly limit: number },
    ): Promise<CostScenarioRow[]> {
      return db
        .selectFrom('cost_scenarios')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('run_id', '=', runId)
        .where('position', '>=', from)
        .orderBy('position')
        .limit(limit)
        .execute()
    },

    findScenario(
      projectId: string,
      runId: string,
      id: string,
    ): Promise<CostScenarioRow | undefined> {
      return db
        .selectFrom('cost_scenarios')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('run_id', '=', runId)
        .where('id', '=', id)
        .executeTakeFirst()
    },

    /** In a transaction. Removes its results, which are of the earlier content. False when the run has no such scenario, or is in progress. */
    async replaceScenario(row: CostScenarioRow, now: string): Promise<boolean> {
      const { project_id: projectId, run_id: runId, id, content } = row
      if (!(await lockFree(db, projectId, runId, now))) return false
      const { numUpdatedRows } = await db
        .updateTable('cost_scenarios')
        .set({ content })
        .where('project_id', '=', projectId)
        .where('run_id', '=', runId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await db
        .deleteFrom('cost_results')
        .where('project_id', '=', projectId)
        .where('run_id', '=', runId)
        .where('scenario_id', '=', id)
        .execute()
      return true
    },
  }
}

type ResultKey = Pick<CostResultRow, 'scenario_id' | 'model_config_id'>

function resultStatements(db: Kysely<Tables>) {
  return {
    /** Replaces an earlier result of the scenario with the model. */
    async putResult(row: CostResultRow): Promise<void> {
      const { project_id, run_id, scenario_id, model_config_id, ...outcome } = row
      await db
        .insertInto('cost_results')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['run_id', 'scenario_id', 'model_config_id']).doUpdateSet(outcome),
        )
        .execute()
    },

    /** Of all results of the run. */
    async removeScores(projectId: string, runId: string): Promise<void> {
      await db
        .updateTable('cost_results')
        .set({ score: null })
        .where('project_id', '=', projectId)
        .where('run_id', '=', runId)
        .execute()
    },

    /**
     * Also after the lease was lost: the money is spent. A bill that is already counted changes nothing, unless another
     * was counted since.
     */
    async addBills(
      projectId: string,
      id: string,
      { billId, ...spent }: CostRunBill,
    ): Promise<void> {
      await db
        .updateTable('cost_runs')
        .set((eb) => ({
          last_bill_id: billId,
          agent_nano_usd: eb('agent_nano_usd', '+', spent.agent_nano_usd),
          user_nano_usd: eb('user_nano_usd', '+', spent.user_nano_usd),
          tools_nano_usd: eb('tools_nano_usd', '+', spent.tools_nano_usd),
          judge_nano_usd: eb('judge_nano_usd', '+', spent.judge_nano_usd),
        }))
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .where(({ eb, or }) =>
          or([eb('last_bill_id', 'is', null), eb('last_bill_id', '!=', billId)]),
        )
        .execute()
    },

    /** In the order of their keys. */
    listResults(
      projectId: string,
      runId: string,
      { after, limit }: { readonly after: ResultKey | undefined; readonly limit: number },
    ): Promise<CostResultRow[]> {
      return db
        .selectFrom('cost_results')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('run_id', '=', runId)
        .$if(after !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(
              refTuple('scenario_id', 'model_config_id'),
              '>',
              tuple(after?.scenario_id ?? '', after?.model_config_id ?? ''),
            ),
          ),
        )
        .orderBy('scenario_id')
        .orderBy('model_config_id')
        .limit(limit)
        .execute()
    },
  }
}
