import { readStorage } from '@assay/contract/storage.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Bind } from '../../http/call.ts'
import { projectNotFound } from '../../platform/failure.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { StoredSignal } from '../../storage/telemetry/port/storage-used.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

export interface StoragePorts {
  readonly bind: Bind
  readonly accounts: Pick<AccountStores, 'projects'>
  readonly telemetry: Pick<TelemetryStore, 'readStorage'>
  /** See `RetentionPorts`. */
  readonly retentionDays: number | undefined
}

export function registerStorage({ bind, accounts, telemetry, retentionDays }: StoragePorts): void {
  bind(readStorage, async ({ caller: { organizationId, projectId, user }, readOptions }) => {
    const projects = await accounts.projects.list(organizationId)
    const project = projects.find(({ id }) => id === projectId)
    if (project === undefined) throw projectNotFound()
    const used = await telemetry.readStorage(projectId, readOptions)
    return {
      traces: toApiSignalUsage(used.traces),
      spans: toApiSignalUsage(used.spans),
      metric_points: toApiSignalUsage(used.metricPoints),
      log_records: toApiSignalUsage(used.logRecords),
      scores: toApiSignalUsage(used.scores),
      is_estimate: used.isEstimate,
      retention: effective(project.retention_days, retentionDays),
      deployment_bytes: user.isSuperAdmin ? used.deploymentBytes : null,
    }
  })
}

function effective(ofProject: number | null, ofDeployment: number | undefined) {
  if (ofProject !== null) return { days: ofProject, source: 'project' as const }
  if (ofDeployment !== undefined) return { days: ofDeployment, source: 'deployment' as const }
  return { days: null, source: 'keep' as const }
}

function toApiSignalUsage({ count, bytes, oldestAt, newestAt }: StoredSignal) {
  return {
    count,
    bytes,
    oldest_at: oldestAt === null ? null : formatInstant(oldestAt),
    newest_at: newestAt === null ? null : formatInstant(newestAt),
  }
}
