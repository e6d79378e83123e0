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

const failure = (status: number, details = {}) =>
  new ApiError(status, 'INTERNAL_ERROR', 'It failed.', details)

/** A query that a page shows, and that has failed. */
async function shown(name: string, error: ApiError) {
  const query = { isFailing: true, count: 0, statuses: [] as string[] }
  const queryFn = async () => {
    query.count += 1
    if (query.isFailing) throw error
    return null
  }
  const observer = new QueryObserver(client, { queryKey: [name], queryFn })
  observer.subscribe(({ status }) => query.statuses.push(status))
  await vi.advanceTimersByTimeAsync(0)
  recover(error)
  await vi.advanceTimersByTimeAsync(0)
  query.statuses.length = 0
  return query
}

test('what failed in an outage is sent again, once, when the service is ready', async () => {
  const lost = await shown('lost', failure(503))
  const refused = await shown('refused', failure(403))
  await vi.advanceTimersByTimeAsync(60_000)
  expect([lost.count, recovered]).toEqual([1, 0])
  isReady = true
  lost.isFailing = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect([lost.count, refused.count, recovered]).toEqual([2, 1, 1])
})

test('what fails although the service is ready is tried again until it succeeds, less and less often, and its page does not flicker', async () => {
  isReady = true
  const [lists, stats] = [await shown('lists', failure(503)), await shown('stats', failure(503))]
  await vi.advanceTimersByTimeAsync(600_000)
  expect(lists.count + stats.count).toBeGreaterThan(10)
  expect(lists.count + stats.count).toBeLessThan(30)
  expect([lists.statuses, stats.statuses, recovered]).toEqual([[], [], 0])
  lists.isFailing = false
  stats.isFailing = false
  await vi.advanceTimersByTimeAsync(180_000)
  expect([lists.statuses.at(-1), stats.statuses.at(-1), recovered]).toEqual([
    'success',
    'success',
    1,
  ])
  const sent = lists.count + stats.count
  await vi.advanceTimersByTimeAsync(600_000)
  expect(lists.count + stats.count).toBe(sent)
})

test('what took too long is not sent again', async () => {
  isReady = true
  const slow = await shown('slow', failure(503, { timed_out: true }))
  await vi.advanceTimersByTimeAsync(600_000)
  expect([slow.count, checks, recovered]).toEqual([1, 0, 0])
})

test('many failures are one series of checks', async () => {
  for (let n = 0; n < 50; n += 1) recover(failure(0))
  await vi.advanceTimersByTimeAsync(0)
  expect(checks).toBe(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(checks).toBeLessThanOrEqual(21)
})
