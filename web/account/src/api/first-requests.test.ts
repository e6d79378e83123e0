import { listOrganizations } from '@assay/contract/organizations.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callEarly, forgetSent, sendEarly } from './first-requests.ts'

/** Without a browser there is no origin for relative URLs: the requests are counted here. */
const requests: string[] = []
const organization = { id: '0199c0de-0000-7000-8000-000000000000', name: 'Acme' }

beforeEach(() => {
  requests.length = 0
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url)
    return Promise.resolve(Response.json({ status: 'success', data: [organization] }))
  })
})
afterEach(() => {
  forgetSent()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const read = () => callEarly(listOrganizations, {}, {})

test('a request that was sent early is not sent again, once', async () => {
  sendEarly(listOrganizations, {})
  expect((await read()).data).toEqual([organization])
  expect(requests).toEqual(['/api/v1/orgs'])
  await read()
  expect(requests).toHaveLength(2)
})

test('a request with other arguments is sent', async () => {
  sendEarly(listOrganizations, {})
  await callEarly(listOrganizations, { query: { other: 1 } } as never, {})
  expect(requests).toEqual(['/api/v1/orgs', '/api/v1/orgs?other=1'])
})

test.each([
  [29_000, 1],
  [31_000, 2],
])('a response that is %d ms old leaves %d requests', async (ageMs, count) => {
  sendEarly(listOrganizations, {})
  vi.advanceTimersByTime(ageMs)
  await read()
  expect(requests).toHaveLength(count)
})

test('a response is not used after somebody has signed out', async () => {
  sendEarly(listOrganizations, {})
  forgetSent()
  await read()
  expect(requests).toHaveLength(2)
})

test('a request that failed early reports its error where it is used, and only there', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  sendEarly(listOrganizations, {})
  await Promise.resolve()
  await expect(read()).rejects.toThrow()
})
