import { ApiError } from '@assay/contract/client.ts'
import type { QueryClient } from '@tanstack/react-query'

/*
 * Repeats what failed during an outage when it is over. What failed although the service is ready, such as a query that
 * took too long, is left to the person who sees it.
 */

const checkEveryMs = 3_000

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

  async function watch(wasDown: boolean): Promise<void> {
    const isReadyNow = await isReady()
    // Not all pages at the same time.
    if (!isReadyNow)
      return void setTimeout(() => void watch(true), checkEveryMs * (0.5 + Math.random()))
    isWatching = false
    if (!wasDown) return
    onRecovered()
    await client.refetchQueries({
      type: 'active',
      predicate: ({ state }) => state.error !== null && mayBeOutage(state.error),
    })
  }

  return (error) => {
    if (isWatching || !mayBeOutage(error)) return
    isWatching = true
    void watch(false)
  }
}

function mayBeOutage(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502)
}

function fetchReadiness(): Promise<boolean> {
  return fetch('/readyz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
