import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { groupsByProtobufjs } from '../../../test/otlp-request.ts'
import {
  answering,
  call,
  called,
  calling,
  model,
  recorded,
  recordings,
  response,
  system,
  user,
} from '../../../test/recorded.ts'
import type { Span } from '../../domain/span.ts'
import { decodeProtobuf } from './decode/decode-protobuf.ts'
import { newProblems } from './decode/problems.ts'

/*
 * Requests of real clients (recorded by e2e/record/record-fixtures.ts): how they are decoded, and what a user would
 * check of the first of them. The others are in recordings.test.ts.
 */

const answer = answering.parts[0]

/** What a user looks at first; `input` and `output` as values. */
function summary({ name, kind, status, model, tokensIn, tokensOut, body }: Span) {
  return [
    ...[name, kind, status, model, tokensIn, tokensOut],
    ...[JSON.parse(body.input), JSON.parse(body.output)],
  ]
}

test.each(['ai-sdk', 'ai-sdk-legacy', 'openinference', 'sdk'])(
  '%s sends the same in JSON and in protobuf with gzip',
  (client) => {
    // The exporter for JSON cannot write NaN.
    const fromProtobuf = recorded(`${client}.pb.gz`).map(({ body, ...head }) => ({
      ...head,
      body: { ...body, attributes: body.attributes.replace('"NaN"', 'null') },
    }))
    expect(recorded(`${client}.json`)).toEqual(fromProtobuf)
  },
)

const all = globSync('*.pb.gz', { cwd: recordings }).sort()

test('there are recordings of at least 60 set-ups', () => {
  expect(all.length).toBeGreaterThanOrEqual(60)
})

test.each(globSync('*.gz', { cwd: recordings }))(
  '%s holds no path of the machine it was recorded on',
  (file) => {
    const bytes = gunzipSync(readFileSync(join(recordings, file)))
    expect(bytes.toString('latin1')).not.toMatch(
      /\/(?:home|root|tmp|Users|work|private)\/|site-packages/,
    )
  },
)

test.each(all)('%s is read as protobufjs reads it', (file) => {
  const bytes = gunzipSync(readFileSync(join(recordings, file)))
  expect(decodeProtobuf(bytes, newProblems())).toEqual(groupsByProtobufjs(bytes))
})

describe('the AI SDK, two steps of an agent and a refused call', () => {
  const spans = recorded('ai-sdk.pb.gz')
  const [run, refused] = [spans.slice(0, 6), spans.slice(6)]

  test('every span has its kind, model, tokens, input and output', () => {
    const finished = (message: object, reason: string) => ({ ...message, finish_reason: reason })
    expect(run.map(summary)).toEqual([
      [
        ...['chat gpt-4o-mini', 'llm', 'OK', model, 50, 20],
        ...[[system, user], [finished(calling, 'tool_call')]],
      ],
      [
        ...['execute_tool get_weather', 'tool', 'OK', null, null, null],
        ...[{ city: 'Paris' }, { temp: 14, sky: 'rain' }],
      ],
      ['step 1', 'chain', 'OK', null, null, null, null, null],
      [
        ...['chat gpt-4o-mini', 'llm', 'OK', model, 80, 12],
        ...[[system, user, calling, called], [finished(answering, 'stop')]],
      ],
      ['step 2', 'chain', 'OK', null, null, null, null, null],
      [
        ...['invoke_agent gpt-4o-mini', 'agent', 'OK', 'gpt-4o-mini', 130, 32, [system, user]],
        [finished({ role: 'assistant', parts: [answer, call, response] }, 'stop')],
      ],
    ])
  })

  test('the calls add up to what the agent repeats, cache included', () => {
    const calls = run.filter(({ kind }) => kind === 'llm')
    const sum = (of: 'tokensIn' | 'tokensOut' | 'tokensCacheRead') =>
      calls.reduce((total, span) => total + (span[of] ?? 0), 0)
    const agent = run.at(-1)
    expect([sum('tokensIn'), sum('tokensOut'), sum('tokensCacheRead')]).toEqual([130, 32, 32])
    expect([agent?.tokensIn, agent?.tokensOut, agent?.tokensCacheRead]).toEqual([130, 32, 32])
  })

  test('children arrive before their parents, in one trace', () => {
    expect(new Set(run.map(({ traceId }) => traceId)).size).toBe(1)
    const at = new Map(run.map(({ spanId }, place) => [spanId, place]))
    const parents = run.map(({ parentSpanId }) => at.get(parentSpanId ?? ''))
    expect(parents).toEqual([2, 2, 5, 4, 5, undefined])
  })

  test('the refused call is an error up to the agent, with the reason', () => {
    const reason = 'The model `refused-model` does not exist.'
    expect(refused.map(({ kind, status, statusMessage }) => [kind, status, statusMessage])).toEqual(
      [
        ['llm', 'ERROR', reason],
        ['chain', 'ERROR', reason],
        ['agent', 'ERROR', reason],
      ],
    )
    expect(refused[0]?.body.output).toBe('null')
    expect(JSON.parse(refused[0]?.body.events ?? '')).toMatchObject([
      { name: 'exception', attributes: { 'exception.message': reason } },
    ])
  })

  test('the sender is identified', () => {
    for (const span of spans) {
      expect([span.service, span.sdk]).toEqual(['recorded-ai-sdk', 'gen_ai'])
    }
  })
})

describe('OpenInference for the OpenAI client', () => {
  const spans = recorded('openinference.pb.gz')

  test('every call has its model, tokens, input and output', () => {
    const chat = ['OpenAI Chat Completions', 'llm', 'OK', model]
    expect(spans.map(summary)).toEqual([
      [...chat, 50, 20, [system, user], [calling]],
      [...chat, 80, 12, [system, user, calling, called], [answering]],
      ['OpenAI Responses', 'llm', 'OK', model, 80, 12, [system, user], [answering]],
    ])
  })

  test('cache and reasoning are parts of what was counted', () => {
    const details = spans.map((span) => [span.tokensCacheRead, span.tokensReasoning])
    expect(details).toEqual([
      [16, 4],
      [16, 0],
      [16, 0],
    ])
  })

  test('the sender is identified', () => {
    expect(spans.map(({ sdk }) => sdk)).toEqual(
      spans.map(() => '@arizeai/openinference-instrumentation-openai 4.2.7'),
    )
  })
})

describe('an application without a convention', () => {
  test('its spans are stored whole', () => {
    const [query, server] = recorded('sdk.pb.gz')
    expect(query).toMatchObject({
      name: 'SELECT orders',
      kind: 'span',
      parentSpanId: server?.spanId,
      status: 'ERROR',
      statusMessage: 'no such order',
      sdk: 'shop 2.1.0',
    })
    expect(JSON.parse(query?.body.attributes ?? '')).toEqual({
      'db.system.name': 'postgresql',
      ratio: 0.25,
      nothing: 'NaN',
      flags: [true, false],
      'otel.span_kind': 'client',
      'otel.status_code': 'ERROR',
    })
    expect(JSON.parse(query?.body.events ?? '')).toMatchObject([
      { name: 'rows', attributes: { count: 0 } },
      { name: 'exception', attributes: { 'exception.type': 'RangeError' } },
    ])
    expect(JSON.parse(query?.body.links ?? '')).toEqual([
      {
        trace_id: server?.traceId,
        span_id: server?.spanId,
        attributes: { why: 'asked by' },
      },
    ])
    expect(server?.body.attributes).toContain(`"big":${Number.MAX_SAFE_INTEGER}`)
    expect(server?.status).toBe('OK')
  })
})
