import { focusManager, onlineManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { sentOnRequest } from './sent-on-request.ts'

const client = new QueryClient({
  defaultOptions: { queries: { networkMode: 'always', refetchOnReconnect: true, retry: false } },
})

afterEach(() => {
  client.clear()
  client.unmount()
  focusManager.setFocused(undefined)
  onlineManager.setOnline(true)
})

/** A query that fails whenever it is sent. */
function failing(name: string, options: object) {
  const sent = { count: 0 }
  const queryFn = () => {
    sent.count += 1
    return Promise.reject(new Error('refused'))
  }
  const observer = new QueryObserver(client, { queryKey: [name], queryFn, ...options })
  observer.subscribe(() => undefined)
  return { sent, observer }
}

test.each([
  [
    'the window gets the focus',
    () => {
      focusManager.setFocused(false)
      focusManager.setFocused(true)
    },
  ],
  [
    'the network is back',
    () => {
      onlineManager.setOnline(false)
      onlineManager.setOnline(true)
    },
  ],
])('a query that acts and has failed is not sent again when %s', async (_event, happen) => {
  client.mount()
  const test = failing('test', sentOnRequest)
  const other = failing('other', {})
  await expect.poll(() => [test.sent.count, other.sent.count]).toEqual([1, 1])
  await expect.poll(() => other.observer.getCurrentResult().fetchStatus).toBe('idle')
  happen()
  await expect.poll(() => other.sent.count).toBe(2)
  expect(test.sent.count).toBe(1)
  await test.observer.refetch()
  expect(test.sent.count).toBe(2)
})
