import { ApiError } from '@assay/contract/client.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openRecovery } from './recovery.ts'

let isReady: boolean
let checks: number
let recovered: number
let client: QueryClient
let recover: (error: Error) => void

beforeEach(() => {
  vi.useFakeTimers()
  ;[isReady, checks, recovered] = [false, 0, 0]
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  recover = openRecovery({
    client,
    onRecovered: () => {
      recovered += 1
    },
    isReady: async () => {
      checks += 1
      return isReady
    },
  })
})
afterEach(() => {
  client.clear()
  vi.useRealTimers()
})

const failure = (status: number) => new ApiError(status, 'INTERNAL_ERROR', 'It failed.')

/** A query that a page shows, and that has failed. Returns how often it was sent. */
async function shown(status: number): Promise<() => number> {
  let count = 0
  const queryFn = async () => {
    count += 1
    throw failure(status)
  }
  const observer = new QueryObserver(client, { queryKey: [status], queryFn })
  observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  recover(failure(status))
  await vi.advanceTimersByTimeAsync(0)
  return () => count
}

test('what failed in an outage is sent again, once, when the service is ready', async () => {
  const sent = await shown(503)
  const refused = await shown(403)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent(), recovered]).toEqual([1, 0])
  isReady = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent(), refused(), recovered]).toEqual([2, 1, 1])
})

test('what failed although the service is ready is not sent again', async () => {
  isReady = true
  const sent = await shown(503)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent(), checks, recovered]).toEqual([1, 1, 0])
})

test('many failures are one series of checks', async () => {
  for (let n = 0; n < 50; n += 1) recover(failure(0))
  await vi.advanceTimersByTimeAsync(0)
  expect(checks).toBe(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(checks).toBeLessThanOrEqual(21)
})
