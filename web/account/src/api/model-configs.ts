import { call } from '@assay/contract/client.ts'
import { listModelConfigs } from '@assay/contract/model-configs.ts'
import { queryOptions } from '@tanstack/react-query'
import { base } from './base.ts'

/** The model configurations of an organization. */
export function modelConfigsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['model-configs', orgId],
    queryFn: ({ signal }) => call(base, listModelConfigs, { params: { orgId } }, { signal }),
  })
}
