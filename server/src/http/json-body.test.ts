import { ingestTrace } from '@assay/contract/ingest.ts'
import { checkSetupToken, setUp } from '@assay/contract/sign-in.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Failure } from '../platform/failure.ts'
import { checkedJson } from './json-body.ts'

const toBytes = (text: string) => new TextEncoder().encode(text)

describe('a JSON body', () => {
  const catchFailure = (read: () => unknown): Failure => {
    try {
      read()
    } catch (error) {
      if (error instanceof Failure) return error
      throw error
    }
    throw new Error('was accepted')
  }

  test.each([
    ['malformed JSON', toBytes('{"a":')],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['nothing but a space', toBytes(' ')],
    ['an empty body', new Uint8Array()],
  ])('%s: 400 at ingestion, the specification’s 500 at an app endpoint', (_situation, bytes) => {
    expect(catchFailure(() => checkedJson(ingestTrace, bytes))).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
    })
    expect(catchFailure(() => checkedJson(setUp, bytes))).toMatchObject({
      code: 'INTERNAL_ERROR',
      status: 500,
      message: 'An unexpected error occurred.',
    })
  })

  test.each([
    ['129 levels', '['.repeat(129) + ']'.repeat(129), 'deeper than 128 levels'],
    [
      'too many containers',
      `[${'[],'.repeat(1_500_000)}[]]`,
      'more than 1500000 objects and arrays',
    ],
  ])('%s is refused before it is parsed, with a sentence', (_situation, text, words) => {
    const failure = catchFailure(() => checkedJson(ingestTrace, toBytes(text)))
    expect(failure.status).toBe(400)
    expect(failure.message).toContain(words)
  })

  test('of an app endpoint has far fewer objects and arrays than an ingestion request', () => {
    const bytes = toBytes(`{"token":"a","z":[${'[],'.repeat(9999)}[]]}`)
    expect(catchFailure(() => checkedJson(checkSetupToken, bytes))).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'The body has more than 10000 objects and arrays.',
    })
  })

  test('of an app endpoint has few values, so that a large one is parsed in milliseconds', () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, n) => `,"field ${n}":1`).join('')
    const body = (count: number) => toBytes(`{"token":"a"${fields(count)}}`)
    expect(checkedJson(checkSetupToken, body(99_000))).toEqual({ token: 'a' })
    expect(catchFailure(() => checkedJson(checkSetupToken, body(100_000)))).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'The body has more than 100000 values.',
    })
  })

  test.each([
    [
      ingestTrace,
      `{"trace_id":"a","spans":[{"span_id":"a","name":"n","started_at":"2026-01-01T00:00:00Z","input":[1e999,[],[]]}]}`,
    ],
    [checkSetupToken, '{"token":"a","z":[1e999,[],[]]}'],
  ])(
    'with a number beyond a double is parsed without a call for each of its values',
    (declared, text) => {
      const parse = vi.spyOn(JSON, 'parse')
      onTestFinished(() => parse.mockRestore())
      checkedJson(declared, toBytes(text))
      expect(parse.mock.calls.map((args) => args.length)).toEqual([1])
    },
  )

  test('a byte-order mark is accepted', () => {
    const failure = catchFailure(() => checkedJson(ingestTrace, toBytes('\uFEFF{}')))
    expect(failure.message).toBe('Invalid trace payload.')
  })

  test('ingestion reports every problem under its field, without the index of the span', () => {
    const body = {
      trace_id: '',
      spans: [
        { span_id: 'a', name: 'x', started_at: '2026-01-01T00:00:00+01:00' },
        {
          span_id: 'b',
          name: 'x',
          started_at: '2026-01-01T00:00:01Z',
          ended_at: '2026-01-01T00:00:00Z',
        },
        { span_id: 'c', started_at: '2026-01-01T00:00:00Z', tokens_in: 1.5 },
      ],
    }
    const { details } = catchFailure(() => checkedJson(ingestTrace, toBytes(JSON.stringify(body))))
    expect(details).toEqual({
      issues: {
        formErrors: [],
        fieldErrors: {
          trace_id: ['trace_id must not be empty'],
          spans: [
            'started_at must be an ISO 8601 UTC timestamp ending in Z',
            'ended_at must not be before started_at',
            'name is required',
            'tokens_in must be a whole number',
          ],
        },
      },
    })
  })

  test('a body that is not an object is reported under formErrors', () => {
    const { details } = catchFailure(() => checkedJson(ingestTrace, toBytes('[]')))
    expect(details).toMatchObject({ issues: { formErrors: [expect.any(String)], fieldErrors: {} } })
  })
})
