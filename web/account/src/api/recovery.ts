import { ApiError } from '@assay/contract/client.ts'
import type { Query, QueryClient } from '@tanstack/react-query'

/*
 * Repeats what failed during an outage when it is over. That can be an outage of a part: the service is ready while
 * another server of the database is up. What took too long is left to the person who sees it.
 */

const checkEveryMs = 3_000
const longestPauseMs = 60_000

export interface RecoverySettings {
  readonly client: QueryClient
  /** Called with the client, for what is not loaded by a query of a page. */
  readonly onRecovered: () => void
  readonly isReady?: () => Promise<boolean>
}

/** Returns what is to be called with the error of each failed query. */
export function openRecovery({
  client,
  onRecovered,
  isReady = fetchReadiness,
}: RecoverySettings): (error: Error) => void {
  let isWatching = false
  const failed = {
    type: 'active',
    predicate: ({ state }: Query) => state.error !== null && mayBeOutage(state.error),
  } as const

  async function watch(): Promise<void> {
    let wasDown = false
    let pauseMs = 0
    for (let attempt = 0; ; attempt += 1) {
      // Not all pages at the same time.
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())))
      const isReadyNow = await isReady()
      const queries = client.getQueryCache().findAll(failed)
      if (isReadyNow && !wasDown && queries.length === 0) return
      const tried = attempt === 0 ? undefined : queries[attempt % queries.length]
      const isOver = isReadyNow && (wasDown || (tried !== undefined && (await isAnswered(tried))))
      if (isOver) {
        onRecovered()
        await client.refetchQueries(failed)
      }
      wasDown = !isReadyNow
      pauseMs = isReadyNow ? Math.min(2 * pauseMs + checkEveryMs, longestPauseMs) : checkEveryMs
    }
  }

  return (error) => {
    if (isWatching || !mayBeOutage(error)) return
    isWatching = true
    void watch().finally(() => {
      isWatching = false
    })
  }

  /** Sends the request of the query without a change of what its page shows. */
  async function isAnswered({ options, queryKey, meta }: Query): Promise<boolean> {
    const { queryFn } = options
    if (typeof queryFn !== 'function') return false
    const { signal } = new AbortController()
    // Of a list that is read page by page.
    const { initialPageParam: pageParam } = options as { readonly initialPageParam?: unknown }
    try {
      await queryFn({ client, queryKey, meta, signal, pageParam })
      return true
    } catch (error) {
      return !(error instanceof Error && mayBeOutage(error))
    }
  }
}

/** Whether a request that failed may succeed soon, when the service or a part of it is back. */
export function mayBeOutage(error: Error): boolean {
  if (!(error instanceof ApiError) || error.details['timed_out'] === true) return false
  return error.status === 0 || error.status >= 502
}

function fetchReadiness(): Promise<boolean> {
  return fetch('/readyz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
