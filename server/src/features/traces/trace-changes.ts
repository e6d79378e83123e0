import { z } from 'zod'
import { type Actor, type AuditEvent, eventLine, recordLine } from '../../accounts/audit.ts'
import { type DefinedJob, defineJob } from '../../jobs/define-job.ts'
import type { Clock } from '../../platform/clock.ts'
import { newOrderedId } from '../../platform/ids.ts'
import type { AuditRow } from '../../storage/accounts/audit-tables.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TraceChangeRow } from '../../storage/accounts/trace-tables.ts'
import type { MoveOutcome } from '../../storage/telemetry/port/removal.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * Removes and moves traces together with their data in the accounts database. The telemetry store and the
 * accounts database share no transaction, so each change is written to the accounts database before it is
 * made. Its audit log entry and its comments follow in one transaction that also deletes it. A change that
 * a crash or an unavailable store interrupted, at any point, is repeated until it is complete.
 */

export interface TraceChanges {
  /** Resolves when the trace is removed and the removal is in the audit log. */
  remove(removal: TraceRemoval): Promise<void>
  /**
   * Resolves when the traces are moved and each move is in the audit log, with an outcome for each id: the reason, if it was
   * not moved. No id may be repeated.
   */
  move(moves: TraceMoves): Promise<readonly MoveOutcome[]>
  /**
   * Completes interrupted changes that started up to this time. One that cannot be completed does not delay the
   * others; the promise then rejects, and the change stays pending. After `signal` no further change is started.
   */
  completePending(startedUpTo: Date, signal: AbortSignal): Promise<void>
}

export interface TraceRemoval {
  readonly projectId: string
  readonly traceId: string
  readonly event: AuditEvent
  readonly actor: Actor
}

export interface TraceMoves {
  readonly projectId: string
  readonly fromProjectId: string
  readonly traceIds: readonly string[]
  /** Of the move of one of them. */
  toEvent(traceId: string): AuditEvent
  readonly actor: Actor
}

export interface TraceChangesPorts {
  readonly accounts: Accounts
  readonly telemetry: Pick<TelemetryStore, 'findTraces' | 'removeTrace' | 'moveTraces'>
  readonly clock: Clock
}

const everyMs = 60_000
/** Longer than a request takes: an older change was interrupted. */
const requestMaxMs = 60_000
const completedAtOnce = 100

/**
 * Completes changes that were interrupted while the service was running, for example by an unavailable
 * store.
 */
export function traceChangesJob(changes: TraceChanges, clock: Clock): DefinedJob {
  return defineJob({
    kind: 'trace_changes',
    input: z.object({}),
    everyMs,
    async step({ progress, signal }) {
      await changes.completePending(new Date(clock.now().getTime() - requestMaxMs), signal)
      return { isDone: true, progress }
    },
  })
}

export function openTraceChanges({ accounts, telemetry, clock }: TraceChangesPorts): TraceChanges {
  const toRow = (
    { projectId, traceId, event, actor }: TraceRemoval,
    fromProjectId: string | null = null,
  ): TraceChangeRow => {
    const startedAt = clock.now().toISOString()
    return {
      id: newOrderedId(),
      project_id: projectId,
      from_project_id: fromProjectId,
      trace_id: traceId,
      audit_event: JSON.stringify(eventLine(event, actor, startedAt)),
      started_at: startedAt,
    }
  }
  const findExisting = async (projectId: string, traceIds: readonly string[]) => {
    const traces = await telemetry.findTraces(projectId, traceIds)
    return new Set(traces.map(({ traceId }) => traceId))
  }
  return {
    async remove(removal) {
      const change = toRow(removal)
      await accounts.traceChanges.insert([change])
      await telemetry.removeTrace(removal.projectId, removal.traceId)
      await complete(change, 'done', accounts)
    },
    async move({ projectId, fromProjectId, traceIds, toEvent, actor }) {
      // The source first: of a move that is completed meanwhile, the trace is found in one of both.
      const sources = await findExisting(fromProjectId, traceIds)
      const targets = await findExisting(projectId, traceIds)
      const movable = traceIds.filter((id) => sources.has(id) && !targets.has(id))
      const changes = movable.map((traceId) =>
        toRow({ projectId, traceId, event: toEvent(traceId), actor }, fromProjectId),
      )
      await accounts.traceChanges.insert(changes)
      const moved = await moveTraces(projectId, fromProjectId, movable, telemetry)
      for (const [index, change] of changes.entries()) {
        await complete(change, moved[index] === 'adopted' ? 'done' : 'not_done', accounts)
      }
      const outcomes = new Map(movable.map((traceId, index) => [traceId, moved[index]]))
      return traceIds.map((id) => outcomes.get(id) ?? (targets.has(id) ? 'exists' : 'not_found'))
    },
    async completePending(startedUpTo, signal) {
      const { traceChanges } = accounts
      const time = startedUpTo.toISOString()
      const failures: unknown[] = []
      let before: string | undefined
      // All of them: those of one database that is down must not delay those of others.
      while (!signal.aborted) {
        // The last attempt at a change first: it completes the earlier ones.
        const pending = await traceChanges.listStartedUpTo(time, completedAtOnce, before)
        for (const change of pending) {
          if (signal.aborted) break
          try {
            await complete(change, await resume(change, telemetry), accounts)
          } catch (error) {
            failures.push(error)
          }
        }
        if (pending.length < completedAtOnce) break
        before = pending.at(-1)?.id
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}

type Outcome = 'done' | 'not_done'

/** Makes an interrupted change, unless it was already made. */
async function resume(
  { project_id, from_project_id, trace_id }: TraceChangeRow,
  telemetry: TraceChangesPorts['telemetry'],
): Promise<Outcome> {
  if (from_project_id === null) {
    await telemetry.removeTrace(project_id, trace_id)
    return 'done'
  }
  const [outcome] = await moveTraces(project_id, from_project_id, [trace_id], telemetry)
  return outcome === 'adopted' ? 'done' : 'not_done'
}

/** Moves traces of changes that are pending; those that the job or an earlier attempt has moved count as moved. */
async function moveTraces(
  projectId: string,
  fromProjectId: string,
  traceIds: readonly string[],
  telemetry: TraceChangesPorts['telemetry'],
): Promise<readonly MoveOutcome[]> {
  const outcomes = await telemetry.moveTraces(projectId, fromProjectId, traceIds)
  const existing = traceIds.filter((_id, index) => outcomes[index] === 'exists')
  if (existing.length === 0) return outcomes
  // Of one that is still in the source, the project has received a trace with this id.
  const unmoved = await telemetry.findTraces(fromProjectId, existing)
  const unmovedIds = new Set(unmoved.map(({ traceId }) => traceId))
  return outcomes.map((outcome, index) =>
    outcome === 'exists' && !unmovedIds.has(traceIds[index] ?? '') ? 'adopted' : outcome,
  )
}

/**
 * Once, even if two processes complete it at the same time. Earlier, interrupted attempts that the user has repeated
 * with this change are complete as well.
 */
async function complete(
  change: TraceChangeRow,
  outcome: Outcome,
  accounts: Accounts,
): Promise<void> {
  const { id, project_id, from_project_id, trace_id, audit_event } = change
  await accounts.transaction(async (stores) => {
    if (!(await stores.traceChanges.remove(id)) || outcome === 'not_done') return
    await stores.traceChanges.removeEarlier(change)
    if (from_project_id === null) await stores.comments.removeByTrace(project_id, trace_id)
    else await stores.comments.move(from_project_id, project_id, trace_id)
    const line = JSON.parse(audit_event) as AuditRow
    // Ids are in insertion order. Changes of earlier versions have no count.
    await recordLine({ ...line, id: newOrderedId(), event_count: 1, last_at: null }, stores)
  })
}
