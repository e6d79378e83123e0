import { ApiError, call } from '@assay/contract/client.ts'
import { readSession, readSetup } from '@assay/contract/sign-in.ts'
import { queryOptions } from '@tanstack/react-query'
import { base } from './base.ts'

/** Who is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call(base, readSession, {}, { signal }),
  staleTime: 60_000,
})

/** Whether the service still waits for its first person. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => call(base, readSetup, {}, { signal }),
  staleTime: 0,
})

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}
