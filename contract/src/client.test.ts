import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError, buildPath, call } from './client.ts'
import { removeTrace } from './trace-management.ts'
import { readSpan } from './traces.ts'

const projectId = '0196a7c8-0000-7000-8000-000000000000'

afterEach(() => vi.unstubAllGlobals())

describe('the path of a request', () => {
  test('has escaped parameters', () => {
    const params = { projectId, traceId: 'a/b?c', spanId: '...' }
    expect(buildPath(readSpan, params)).toBe(`/projects/${projectId}/traces/a%2Fb%3Fc/spans/...`)
  })

  test.each([
    ['.', 'An address cannot contain "." as traceId.'],
    ['..', 'An address cannot contain ".." as traceId.'],
    ['', 'An address cannot contain an empty text as traceId.'],
  ])('is not built from the parameter "%s", and nothing is sent', async (traceId, message) => {
    const fetched = vi.fn<typeof fetch>()
    vi.stubGlobal('fetch', fetched)
    const sending = call('/api/v1', removeTrace, { params: { projectId, traceId } })
    await expect(sending).rejects.toThrow(new ApiError(400, 'VALIDATION_ERROR', message))
    expect(fetched).not.toHaveBeenCalled()
  })

  test('is not built without a parameter', () => {
    expect(() => buildPath(readSpan, { projectId, traceId: 't' })).toThrow('as spanId')
  })
})
