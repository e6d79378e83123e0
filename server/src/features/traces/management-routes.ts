import { exportSelectedTrajectories, exportTrajectories } from '@assay/contract/export.ts'
import { moveTraces, removeTrace, tagTraces } from '@assay/contract/trace-management.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { Bind } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure, projectNotFound } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { toTraceFilters } from '../../storage/telemetry/port/trace-filters.ts'
import { registerAgreement } from './agreement-routes.ts'
import { registerComments } from './comment-routes.ts'
import { registerScores } from './score-routes.ts'
import type { TraceChanges } from './trace-changes.ts'
import { selectedTrajectories, trajectories } from './trajectories.ts'

/*
 * Comments, removal, tags and export of traces, and moving them from another project.
 */

export interface TraceManagementPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly traceChanges: TraceChanges
  readonly ingestWorkers: IngestWorkers
  readonly clock: Clock
}

const traceNotFound = () => new Failure('NOT_FOUND', 'Trace not found.')

export function registerTraceManagement(ports: TraceManagementPorts): void {
  const { bind, accounts, telemetry, traceChanges, clock } = ports
  registerComments(ports)
  registerScores(ports)
  registerAgreement(ports)

  bind(removeTrace, async ({ caller, client, params: { traceId }, readOptions }) => {
    const { organizationId, projectId, user } = caller
    if ((await telemetry.findTrace(projectId, traceId, readOptions)) === undefined)
      throw traceNotFound()
    await traceChanges.remove({
      projectId,
      traceId,
      event: {
        ...{ action: 'trace.removed', organizationId, targetId: traceId },
        details: { project_id: projectId },
      },
      actor: userActor(user, client),
    })
    return { status: 'removed' as const }
  })

  bind(exportTrajectories, async ({ caller, client, query, readOptions }) => {
    const { organizationId, projectId, user } = caller
    const { format: _, ...filters } = query
    await recordEvent(
      { action: 'traces.exported', organizationId, targetId: projectId, details: {} },
      userActor(user, client),
      clock.now().toISOString(),
      accounts,
    )
    return trajectories(ports, projectId, toTraceFilters(filters), readOptions)
  })

  bind(exportSelectedTrajectories, async ({ caller, client, body, readOptions }) => {
    const { organizationId, projectId, user } = caller
    await recordEvent(
      { action: 'traces.exported', organizationId, targetId: projectId, details: {} },
      userActor(user, client),
      clock.now().toISOString(),
      accounts,
    )
    return selectedTrajectories(ports, projectId, body.trace_ids, readOptions)
  })

  bind(tagTraces, async ({ caller, client, body }) => {
    const { organizationId, projectId, user } = caller
    const changes = { added: body.add, removed: body.remove }
    await recordEvent(
      {
        ...{ action: 'trace.tags_changed', organizationId, targetId: projectId },
        details: { ...changes, traces: body.trace_ids.length },
      },
      userActor(user, client),
      clock.now().toISOString(),
      accounts,
    )
    return { tagged: [...(await telemetry.changeTags(projectId, body.trace_ids, changes))] }
  })

  bind(moveTraces, async ({ caller, client, body }) => {
    const { organizationId, projectId, user } = caller
    const fromProjectId = body.source_project_id
    const membership = await accounts.memberships.findProjectAccess(fromProjectId, user.id)
    if (membership?.organizationId !== organizationId) throw projectNotFound()
    const adopted: string[] = []
    const skipped: { trace_id: string; reason: 'not_found' | 'exists' }[] = []
    for (const traceId of new Set(body.trace_ids)) {
      const outcome = await traceChanges.move({
        ...{ projectId, fromProjectId, traceId },
        event: {
          ...{ action: 'trace.adopted', organizationId, targetId: traceId },
          details: { project_id: projectId, from_project_id: fromProjectId },
        },
        actor: userActor(user, client),
      })
      if (outcome === 'adopted') adopted.push(traceId)
      else skipped.push({ trace_id: traceId, reason: outcome })
    }
    return { adopted, skipped }
  })
}
