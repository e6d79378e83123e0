import { exportSelectedTrajectories, exportTrajectories } from '@assay/contract/export.ts'
import { tagTraces } from '@assay/contract/trace-management.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { Bind } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { toTraceFilters } from '../../storage/telemetry/port/trace-filters.ts'
import { selectedTrajectories, trajectories } from './trajectories.ts'

/*
 * Export and tags of many traces.
 */

interface SelectionPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly ingestWorkers: IngestWorkers
  readonly clock: Clock
}

export function registerSelections(ports: SelectionPorts): void {
  const { bind, accounts, telemetry, clock } = ports

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
}
