import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  groupsByProtobufjs,
  jsonBytes,
  otlpRequests,
  protobufBytes,
} from '../../../../test/otlp-request.ts'
import { decodeJson } from './decode-json.ts'
import { decodeProtobuf } from './decode-protobuf.ts'
import { newProblems } from './problems.ts'

describe('one request in both encodings', () => {
  test('T5 T6 reads as protobufjs reads it, to the last digit', () => {
    fc.assert(
      fc.property(otlpRequests, (request) => {
        const problems = newProblems()
        const expected = groupsByProtobufjs(protobufBytes(request))
        expect(decodeProtobuf(protobufBytes(request), problems)).toEqual(expected)
        expect(decodeJson(jsonBytes(request), problems)).toEqual(expected)
        expect(problems.told()).toEqual({ rejectedSpans: 0, errorMessage: '' })
      }),
      { numRuns: 300 },
    )
  })
})
