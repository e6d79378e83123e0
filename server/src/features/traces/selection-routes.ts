import { exportSelectedTrajectories, exportTrajectories } from '@assay/contract/export.ts'
import { tagTraces } from '@assay/contract/trace-management.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { toTraceFilters } from '../../storage/telemetry/port/trace-filters.ts'
import type { TraceManagementPorts } from './management-routes.ts'
import { selectedTrajectories, trajectories } from './trajectories.ts'

/*
 * Export and tags of many traces.
 */

type SelectionPorts = Pick<
  TraceManagementPorts,
  'bind' | 'accounts' | 'telemetry' | 'ingestWorkers' | 'clock'
>

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
