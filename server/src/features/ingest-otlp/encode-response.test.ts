import { exportTraceResponse } from '@assay/contract/otlp.ts'
import { describe, expect, test } from 'vitest'
import { responseType } from '../../../test/otlp-request.ts'
import { encodeResponse } from './encode-response.ts'

const full = { rejected: 0, errorMessage: '' }

describe('the response to an export', () => {
  test('is empty for a full success', () => {
    expect(encodeResponse('protobuf', full)).toHaveLength(0)
    expect(Buffer.from(encodeResponse('json', full)).toString()).toBe('{}')
  })

  test.each([
    ['few', { rejected: 2, errorMessage: 'naïve' }],
    ['many, at length', { rejected: 99_999, errorMessage: 'reason '.repeat(100) }],
    ['none, with a warning', { rejected: 0, errorMessage: 'x' }],
  ])('reports rejected spans, of %s', (_situation, outcome) => {
    const { rejected, errorMessage } = outcome
    const expected = {
      ...(rejected === 0 ? {} : { rejectedSpans: String(rejected) }),
      errorMessage,
    }
    const json: unknown = JSON.parse(Buffer.from(encodeResponse('json', outcome)).toString())
    expect(exportTraceResponse.parse(json)).toEqual({ partialSuccess: expected })
    const message = responseType.decode(encodeResponse('protobuf', outcome))
    expect(responseType.toObject(message, { longs: String })).toEqual({ partialSuccess: expected })
  })
})
