import type { Kysely } from 'kysely'
import type {
  CostResultRow,
  CostRunBills,
  CostRunHead,
  CostRunRow,
  CostScenarioRow,
} from './cost-run-tables.ts'
import type { Tables } from './tables.ts'

/*
 * Runs of the cost calculator with their scenarios and results. A run that is executed holds a lease: while it lasts, no
 * other execution starts, and neither the run nor its scenarios are changed by others.
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
  ...(['execution', 'execution_id', 'running_until'] as const),
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

    /** False when the project has no such run, or it is running. */
    async remove(projectId: string, id: string, now: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('cost_runs')
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .where(({ eb, or }) => or([eb('running_until', 'is', null), eb('running_until', '<', now)]))
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}

const selectRun = (db: Kysely<Tables>, projectId: string, id: string) =>
  db.selectFrom('cost_runs').where('project_id', '=', projectId).where('id', '=', id)

/** The execution of a run, by its lease. */
export interface CostRunLease {
  readonly projectId: string
  readonly runId: string
  readonly executionId: string
}

export interface StartedExecution {
  readonly now: string
  readonly until: string
  /** As JSON. */
  readonly execution: string
}

function leaseStatements(db: Kysely<Tables>) {
  const held = ({ projectId, runId, executionId }: CostRunLease) =>
    db
      .updateTable('cost_runs')
      .where('project_id', '=', projectId)
      .where('id', '=', runId)
      .where('execution_id', '=', executionId)

  return {
    /** False when the project has no such run, or another execution holds the lease. */
    async start(
      { projectId, runId, executionId }: CostRunLease,
      { now, until, execution }: StartedExecution,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('cost_runs')
        .set({ status: 'running', execution, execution_id: executionId, running_until: until })
        .set({ started_at: now, finished_at: null })
        .where('project_id', '=', projectId)
        .where('id', '=', runId)
        .where(({ eb, or }) => or([eb('running_until', 'is', null), eb('running_until', '<', now)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** False when the lease was lost: another execution has started. */
    async extend(lease: CostRunLease, until: string): Promise<boolean> {
      const { numUpdatedRows } = await held(lease).set({ running_until: until }).executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Ends the lease. False when it was lost. */
    async finish(
      lease: CostRunLease,
      outcome: Pick<CostRunRow, 'status' | 'notices' | 'finished_at'>,
    ): Promise<boolean> {
      const { numUpdatedRows } = await held(lease)
        .set({ ...outcome, execution_id: null, running_until: null })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Also after the lease was lost: the money is spent. */
    async addBills(projectId: string, id: string, spent: CostRunBills): Promise<void> {
      await db
        .updateTable('cost_runs')
        .set((eb) => ({
          agent_nano_usd: eb('agent_nano_usd', '+', spent.agent_nano_usd),
          user_nano_usd: eb('user_nano_usd', '+', spent.user_nano_usd),
          tools_nano_usd: eb('tools_nano_usd', '+', spent.tools_nano_usd),
          judge_nano_usd: eb('judge_nano_usd', '+', spent.judge_nano_usd),
        }))
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .execute()
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

    /** In a transaction. Removes its results, which are of the earlier content. False when the run has no such scenario, or is running. */
    async replaceScenario(row: CostScenarioRow, now: string): Promise<boolean> {
      const { project_id: projectId, run_id: runId, id, content } = row
      const { numUpdatedRows } = await db
        .updateTable('cost_scenarios')
        .set({ content })
        .where('project_id', '=', projectId)
        .where('run_id', '=', runId)
        .where('id', '=', id)
        .where('run_id', 'in', (eb) =>
          eb
            .selectFrom('cost_runs')
            .select('id')
            .where('project_id', '=', projectId)
            .where((run) =>
              run.or([run('running_until', 'is', null), run('running_until', '<', now)]),
            ),
        )
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
