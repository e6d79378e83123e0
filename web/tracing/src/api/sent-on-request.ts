/**
 * The options of a query that acts, such as a test: it is sent when its view opens and on request, and ends when nobody
 * waits for it. One that has failed has no data, so that it is always stale: the browser must not send it again.
 */
export const sentOnRequest = {
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const
