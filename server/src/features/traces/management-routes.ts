import { exportTrajectories } from '@assay/contract/export.ts'
import { moveTraces, removeTrace } from '@assay/contract/trace-management.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts, ProjectCaller } from '../../accounts/caller.ts'
import type { Bind } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure, projectNotFound } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { registerComments } from './comment-routes.ts'
import { storeFilters } from './routes.ts'
import { trajectories } from './trajectories.ts'

/*
 * What people do to traces: comment on them, remove them, export them, take them over from another project.
 */

export interface TraceManagementPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly ingestWorkers: IngestWorkers
  readonly clock: Clock
}

const traceNotFound = () => new Failure('NOT_FOUND', 'Trace not found.')

export function registerTraceManagement(ports: TraceManagementPorts): void {
  const { bind, accounts, telemetry, clock } = ports
  registerComments(ports)

  bind(removeTrace, async ({ caller, client, params: { traceId } }) => {
    if ((await telemetry.findTrace(caller.projectId, traceId)) === undefined) throw traceNotFound()
    const details = { project_id: caller.projectId }
    await recordTraceEvent('trace.removed', traceId, details, caller, client, ports)
    // First what would be left behind if the rest failed: then it can be repeated.
    await accounts.comments.removeOfTrace(caller.projectId, traceId)
    await telemetry.removeTrace(caller.projectId, traceId)
    return { removed: true as const }
  })

  bind(exportTrajectories, async ({ caller, client, query, signal }) => {
    const { organizationId, projectId, user } = caller
    const { format: _, ...filters } = query
    await recordEvent(
      { action: 'traces.exported', organizationId, targetId: projectId, details: {} },
      userActor(user, client),
      clock.now().toISOString(),
      accounts,
    )
    return trajectories(ports, projectId, storeFilters(filters), signal)
  })

  bind(moveTraces, async ({ caller, client, body }) => {
    const { projectId } = caller
    const from = body.source_project_id
    const membership = await accounts.memberships.findProjectAccess(from, caller.user.id)
    if (membership?.organizationId !== caller.organizationId) throw projectNotFound()
    const adopted: string[] = []
    const skipped: { trace_id: string; reason: 'not_found' | 'exists' }[] = []
    for (const traceId of new Set(body.trace_ids)) {
      const outcome =
        from === projectId ? 'exists' : await telemetry.moveTrace(projectId, from, traceId)
      if (outcome === 'adopted') adopted.push(traceId)
      else skipped.push({ trace_id: traceId, reason: outcome })
      if (outcome !== 'not_found' && from !== projectId)
        await moveComments(from, projectId, traceId)
      if (outcome !== 'adopted') continue
      const details = { project_id: projectId, from_project_id: from }
      await recordTraceEvent('trace.adopted', traceId, details, caller, client, ports)
    }
    return { adopted, skipped }
  })

  /** Also those that stayed behind when an earlier adoption was cut off. */
  const moveComments = async (from: string, projectId: string, traceId: string) => {
    if ((await telemetry.findTrace(from, traceId)) !== undefined) return
    await accounts.comments.move(from, projectId, traceId)
  }
}

async function recordTraceEvent<Action extends 'trace.removed' | 'trace.adopted'>(
  action: Action,
  traceId: string,
  details: Record<string, string>,
  caller: ProjectCaller,
  client: ClientFacts,
  { accounts, clock }: TraceManagementPorts,
): Promise<void> {
  const { organizationId, user } = caller
  const event = { action, organizationId, targetId: traceId, details } as Parameters<
    typeof recordEvent
  >[0]
  await recordEvent(event, userActor(user, client), clock.now().toISOString(), accounts)
}
