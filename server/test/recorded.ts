import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Span } from '../src/domain/span.ts'
import { totalsOf } from '../src/domain/trace-totals.ts'
import { readRequest } from '../src/features/ingest-otlp/encode-traces.ts'
import { parseCompression, parseOtlpEncoding } from '../src/http/body-encoding.ts'

/*
 * What real clients sent (recorded by e2e/record/record-fixtures.ts), read as the service reads it, and the one
 * conversation that nearly all of them had, in the words of OpenTelemetry GenAI.
 */

export const recordings = join(import.meta.dirname, '../src/features/ingest-otlp/fixtures')

/** All spans of a recording; none of them was refused. */
export function recorded(file: string): readonly Span[] {
  const bytes = Uint8Array.from(readFileSync(join(recordings, file)))
  const headers = JSON.parse(readFileSync(join(recordings, `${file}.headers.json`), 'utf8')) as {
    readonly 'content-type': string
    readonly 'content-encoding'?: string
  }
  const { spans, errorMessage } = readRequest({
    bytes,
    encoding: parseOtlpEncoding(headers['content-type']),
    compression: parseCompression(headers['content-encoding']),
  })
  expect(errorMessage).toBe('')
  return spans
}

/** Of each span, in the order sent: name, kind, model, tokens, input, output; tokens as told by `tokensOf`. */
export function rowsOf(name: string) {
  return recorded(`${name}.pb.gz`).map((span) => [
    ...[withoutIds(span.name), span.kind, span.model, tokensOf(span)],
    ...[contentOf(span, span.body.input), contentOf(span, span.body.output)],
  ])
}

const longest = 400

/** The value; of a long one that is an attribute as it was sent only which. */
function contentOf({ body }: Span, text: string): unknown {
  if (text.length > longest) {
    const attributes = Object.entries(JSON.parse(body.attributes) as Record<string, unknown>)
    const [key] = attributes.find(([, value]) => value === text) ?? []
    if (key !== undefined) return sent(key)
  }
  return JSON.parse(withoutIds(text))
}

/** A long value that is this attribute, to the byte. */
export const sent = (key: string) => ({ sent: key })

/** Ids that clients make up differ from one recording to the next. */
function withoutIds(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an id')
}

/** In, out, read from the cache, written to it, reasoning; null where nothing is told. */
function tokensOf(span: Span) {
  const counts = [
    ...[span.tokensIn, span.tokensOut],
    ...[span.tokensCacheRead, span.tokensCacheWrite, span.tokensReasoning],
  ]
  return counts.every((count) => count === null) ? null : counts
}

/** Of each trace of a recording, in the order sent, what a list of traces shows of it. */
export function tracesOf(name: string) {
  const traces = Map.groupBy(recorded(`${name}.pb.gz`), ({ traceId }) => traceId)
  return [...traces.values()].map((spans) => {
    const counted = spans.map((span) => ({ ...span, source: 'otlp' as const }))
    const totals = totalsOf(counted, null)
    return {
      root: withoutIds(totals.rootName),
      status: totals.status,
      tokens: [totals.tokensIn, totals.tokensOut],
      costUsd: totals.costUsd,
      calls: { llm: totals.llmCallCount, tool: totals.toolCallCount },
      session: totals.sessionId,
      user: totals.userId,
      environment: totals.environment,
      service: totals.service,
      sdk: totals.sdk,
    }
  })
}

/** Of each trace of a recording, in the order sent, the tags. */
export function tagsOf(name: string) {
  const traces = Map.groupBy(recorded(`${name}.pb.gz`), ({ traceId }) => traceId)
  return [...traces.values()].map(
    (spans) =>
      totalsOf(
        spans.map((span) => ({ ...span, source: 'otlp' as const })),
        null,
      ).tags,
  )
}

export const model = 'gpt-4o-mini-2024-07-18'
export const question = 'Weather in Paris? 🌧'
export const answer = 'It is 14 degrees and raining in Paris.'
export const weather = { temp: 14, sky: 'rain' }
export const city = { city: 'Paris' }

export const textMessage = (role: string, content: string) => ({
  role,
  parts: [{ type: 'text', content }],
})
export const call = { type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: city }
export const response = { type: 'tool_call_response', id: 'call_1', response: weather }

export const system = textMessage('system', 'You are terse.')
export const user = textMessage('user', question)
export const calling = { role: 'assistant', parts: [call] }
export const called = { role: 'tool', parts: [response] }
export const answering = textMessage('assistant', answer)
export const finished = (message: object, reason: string) => ({ ...message, finish_reason: reason })
export const unnamed = (message: object) => ({ ...message, name: null })

/** What `tracesOf` gives for a trace that went well and of which nothing else is told. */
export const trace = (recording: string, sdk: string, reported: object) => ({
  ...{ status: 'OK', costUsd: null, session: null, user: null, environment: null },
  ...{ service: `recorded-${recording}`, sdk },
  ...reported,
})
