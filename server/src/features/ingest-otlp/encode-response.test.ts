import { exportTraceResponse } from '@assay/contract/otlp.ts'
import { describe, expect, test } from 'vitest'
import { responseType } from '../../../test/otlp-request.ts'
import { encodeResponse } from './encode-response.ts'

const full = { rejectedSpans: 0, errorMessage: '' }

describe('the answer to an export', () => {
  test('T13 says nothing of a full success', () => {
    expect(encodeResponse('protobuf', full)).toHaveLength(0)
    expect(Buffer.from(encodeResponse('json', full)).toString()).toBe('{}')
  })

  test.each([
    ['few', { rejectedSpans: 2, errorMessage: 'naïve' }],
    ['many, at length', { rejectedSpans: 99_999, errorMessage: 'reason '.repeat(100) }],
    ['none, with a remark', { rejectedSpans: 0, errorMessage: 'x' }],
  ])('T13 tells of rejected spans, of %s', (_situation, outcome) => {
    const { rejectedSpans, errorMessage } = outcome
    const expected = {
      ...(rejectedSpans === 0 ? {} : { rejectedSpans: String(rejectedSpans) }),
      errorMessage,
    }
    const json: unknown = JSON.parse(Buffer.from(encodeResponse('json', outcome)).toString())
    expect(exportTraceResponse.parse(json)).toEqual({ partialSuccess: expected })
    const message = responseType.decode(encodeResponse('protobuf', outcome))
    expect(responseType.toObject(message, { longs: String })).toEqual({ partialSuccess: expected })
  })
})
