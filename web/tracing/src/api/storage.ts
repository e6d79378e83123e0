import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { readStorage } from '@assay/contract/storage.ts'
import { queryOptions } from '@tanstack/react-query'

export type StorageUsed = DataOf<typeof readStorage>

/** The stored telemetry of a project, and its retention. */
export function storageQuery(projectId: string) {
  return queryOptions({
    queryKey: ['storage', projectId],
    queryFn: ({ signal }) => call(base, readStorage, { params: { projectId } }, { signal }),
  })
}
