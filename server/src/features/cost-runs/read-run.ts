import type { CallReadOptions, ReadyJson } from '../../http/call.ts'
import { openPieceReads } from '../../http/piece-reads.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { serializeRun } from './serialize-run.ts'
import { runNotFound } from './stored-runs.ts'

/*
 * Reads of whole runs, of megabytes each.
 */

export interface ReadRunPorts {
  readonly accounts: Pick<Accounts, 'costRuns' | 'clock'>
}

/** As JSON. Throws NOT_FOUND, and Unavailable when too many wait. */
export type ReadRun = (
  projectId: string,
  runId: string,
  by: Pick<CallReadOptions, 'requester' | 'signal'>,
) => Promise<ReadyJson>

export function openRunReads({ accounts: { costRuns, clock } }: ReadRunPorts): ReadRun {
  const readPieces = openPieceReads('runs')
  async function* pieces(projectId: string, runId: string) {
    const run = await costRuns.find(projectId, runId)
    if (run === undefined) throw runNotFound()
    yield* serializeRun(run, costRuns, await clock.now())
  }
  return (projectId, runId, by) => readPieces(by, pieces(projectId, runId))
}
