import { base } from '@assay/account/api/base.ts'
import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import {
  createModelConfig,
  removeModelConfig,
  testModelConfig,
  updateModelConfig,
} from '@assay/contract/model-configs.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { sentOnRequest } from './sent-on-request.ts'

export type ModelConfigBody = Args<typeof createModelConfig>['body']

/** Adds a model, or changes the one with the id. */
export function useSaveModelConfig(orgId: string, configId: string | undefined) {
  const onSuccess = useInvalidateConfigs(orgId)
  return useMutation({
    mutationFn: (body: ModelConfigBody) =>
      configId === undefined
        ? call(base, createModelConfig, { params: { orgId }, body })
        : call(base, updateModelConfig, { params: { orgId, configId }, body }),
    onSuccess,
  })
}

export function useRemoveModelConfig(orgId: string) {
  const onSettled = useInvalidateConfigs(orgId)
  return useMutation({
    mutationFn: (configId: string) =>
      call(base, removeModelConfig, { params: { orgId, configId } }),
    onSettled,
  })
}

/** One test call. It ends when nobody waits for it any more. */
export function modelTestQuery(orgId: string, configId: string) {
  return queryOptions({
    queryKey: ['model-test', orgId, configId],
    queryFn: ({ signal }) =>
      call(base, testModelConfig, { params: { orgId, configId } }, { signal }),
    ...sentOnRequest,
  })
}

function useInvalidateConfigs(orgId: string): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: modelConfigsQuery(orgId).queryKey })
}
