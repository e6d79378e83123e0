import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import {
  readSsoConfig,
  readSsoService,
  removeSsoConfig,
  testSsoConfig,
  verifySsoDomain,
  writeSsoConfig,
} from '@assay/contract/sso.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** The single sign-on configuration of an organization, or null. */
export function ssoConfigQuery(orgId: string) {
  return queryOptions({
    queryKey: ['sso', orgId, 'config'],
    queryFn: ({ signal }) => call(base, readSsoConfig, { params: { orgId } }, { signal }),
  })
}

/** The values of this service to enter at the identity provider. */
export function ssoServiceQuery(orgId: string) {
  return queryOptions({
    queryKey: ['sso', orgId, 'service'],
    queryFn: ({ signal }) => call(base, readSsoService, { params: { orgId } }, { signal }),
  })
}

export type SsoConfigInput = Args<typeof writeSsoConfig>['body']

export function useWriteSso(orgId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SsoConfigInput) => call(base, writeSsoConfig, { params: { orgId }, body }),
    onSuccess: (config) => queryClient.setQueryData(ssoConfigQuery(orgId).queryKey, config),
  })
}

export function useRemoveSso(orgId: string) {
  const invalidate = useInvalidateSso(orgId)
  return useMutation({
    mutationFn: () => call(base, removeSsoConfig, { params: { orgId } }),
    onSettled: invalidate,
  })
}

export function useVerifyDomain(orgId: string) {
  const invalidate = useInvalidateSso(orgId)
  return useMutation({
    mutationFn: ({ domain, method }: { domain: string; method: 'dns' | 'approval' }) =>
      call(base, verifySsoDomain, { params: { orgId, domain }, query: { method } }),
    onSettled: invalidate,
  })
}

/** Starts a test sign-in: the browser goes to the identity provider and returns to `returnTo`. */
export function useTestSso(orgId: string) {
  return useMutation({
    mutationFn: (returnTo: string) =>
      call(base, testSsoConfig, { params: { orgId }, body: { return_to: returnTo } }),
    onSuccess: ({ start_url }) => location.assign(start_url),
  })
}

function useInvalidateSso(orgId: string): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ssoConfigQuery(orgId).queryKey })
}
