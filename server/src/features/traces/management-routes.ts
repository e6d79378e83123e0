import { moveTraces, removeTrace } from '@assay/contract/trace-management.ts'
import { userActor } from '../../accounts/audit.ts'
import type { Bind } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure, projectNotFound } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { registerAgreement } from './agreement-routes.ts'
import { registerComments } from './comment-routes.ts'
import { registerReviewQueues } from './review-queue-routes.ts'
import { registerScores } from './score-routes.ts'
import { registerSelections } from './selection-routes.ts'
import type { TraceChanges } from './trace-changes.ts'

/*
 * Comments, scores, review queues, tags, removal and export of traces, and moving them from another project.
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
  const { bind, accounts, telemetry, traceChanges } = ports
  registerComments(ports)
  registerScores(ports)
  registerAgreement(ports)
  registerSelections(ports)
  registerReviewQueues(ports)

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

  bind(moveTraces, async ({ caller, client, body }) => {
    const { organizationId, projectId, user } = caller
    const fromProjectId = body.source_project_id
    const membership = await accounts.memberships.findProjectAccess(fromProjectId, user.id)
    if (membership?.organizationId !== organizationId) throw projectNotFound()
    const traceIds = [...new Set(body.trace_ids)]
    const outcomes = await traceChanges.move({
      ...{ projectId, fromProjectId, traceIds },
      toEvent: (traceId) => ({
        ...{ action: 'trace.adopted', organizationId, targetId: traceId },
        details: { project_id: projectId, from_project_id: fromProjectId },
      }),
      actor: userActor(user, client),
    })
    const adopted = traceIds.filter((_, index) => outcomes[index] === 'adopted')
    const skipped = traceIds.flatMap((trace_id, index) => {
      const reason = outcomes[index]
      return reason === 'exists' || reason === 'not_found' ? [{ trace_id, reason }] : []
    })
    return { adopted, skipped }
  })
}
