import { type CallReadOptions, ReadyJson } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { openMemberTurns } from '../../platform/member-turns.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { serializeRun } from './serialize-run.ts'
import { runNotFound } from './stored-runs.ts'

/*
 * Reads of whole runs, of megabytes each: few at once, and in pieces between which other requests are served.
 */

export interface ReadRunPorts {
  readonly accounts: Pick<Accounts, 'costRuns'>
  readonly clock: Clock
}

/** As JSON. Throws NOT_FOUND, and Unavailable when too many wait. */
export type ReadRun = (
  projectId: string,
  runId: string,
  by: Pick<CallReadOptions, 'requester' | 'signal'>,
) => Promise<ReadyJson>

export function openRunReads({ accounts: { costRuns }, clock }: ReadRunPorts): ReadRun {
  const inTurn = openMemberTurns({
    ...{ runningMax: 2, waitingMax: 1000 },
    refusal: 'Too many runs are being read. Try again shortly.',
  })
  return (projectId, runId, { requester, signal }) =>
    inTurn({ requester, signal }, async () => {
      const run = await costRuns.find(projectId, runId)
      if (run === undefined) throw runNotFound()
      const parts: Uint8Array[] = []
      for await (const piece of serializeRun(run, costRuns, clock.now().toISOString())) {
        parts.push(Buffer.from(piece))
        signal.throwIfAborted()
      }
      return new ReadyJson(...parts)
    })
}
