import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Span } from '../src/domain/span.ts'
import { totalsOf } from '../src/domain/trace-totals.ts'
import { readRequest } from '../src/features/ingest-otlp/encode-traces.ts'
import { parseCompression, parseOtlpEncoding } from '../src/http/body-encoding.ts'

/*
 * Recordings of real clients (e2e/record/record-fixtures.ts), decoded as the service does, and parts of the
 * conversation that nearly all of them had, in OpenTelemetry GenAI form.
 */

export const recordings = join(import.meta.dirname, '../src/features/ingest-otlp/fixtures')

/** All spans of a recording; none was rejected. */
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

/** The recordings that have a file of expected values, by name. */
export function expectedFiles(): string[] {
  return globSync('*.expected.json', { cwd: recordings })
    .map((file) => file.replace('.expected.json', ''))
    .sort()
}

/** Each span in the order sent; ids made up by the client are masked. */
export function toSpanRows(name: string) {
  return recorded(`${name}.pb.gz`).map((span) => ({
    name: withoutIds(span.name),
    kind: span.kind,
    model: span.model,
    tokens: toTokens(span),
    costUsd: span.costUsd,
    input: toContent(span, span.body.input),
    output: toContent(span, span.body.output),
  }))
}

const maxContentLength = 400

/** The value; a long value that equals an attribute as sent is replaced by that attribute's key. */
function toContent({ body }: Span, text: string): unknown {
  if (text.length > maxContentLength) {
    const attributes = Object.entries(JSON.parse(body.attributes) as Record<string, unknown>)
    const [key] = attributes.find(([, value]) => value === text) ?? []
    if (key !== undefined) return { sameAsAttribute: key }
  }
  return JSON.parse(withoutIds(text))
}

/** Ids that clients make up differ from one recording to the next. */
function withoutIds(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
}

/** Null where the span has no counts. */
function toTokens(span: Span) {
  const tokens = {
    in: span.tokensIn,
    out: span.tokensOut,
    cacheRead: span.tokensCacheRead,
    cacheWrite: span.tokensCacheWrite,
    reasoning: span.tokensReasoning,
  }
  return Object.values(tokens).every((count) => count === null) ? null : tokens
}

/** The totals of each trace, in the order sent. */
export function toTraceRows(name: string) {
  const traces = Map.groupBy(recorded(`${name}.pb.gz`), ({ traceId }) => traceId)
  return [...traces.values()].map((spans) => {
    const counted = spans.map((span) => ({ ...span, source: 'otlp' as const }))
    const totals = totalsOf(counted, null)
    return {
      rootName: withoutIds(totals.rootName),
      status: totals.status,
      tokensIn: totals.tokensIn,
      tokensOut: totals.tokensOut,
      costUsd: totals.costUsd,
      llmCalls: totals.llmCallCount,
      toolCalls: totals.toolCallCount,
      sessionId: totals.sessionId,
      userId: totals.userId,
      environment: totals.environment,
      service: totals.service,
      sdk: totals.sdk,
      tags: totals.tags,
    }
  })
}

export const model = 'gpt-4o-mini-2024-07-18'
const question = 'Weather in Paris? 🌧'
const answer = 'It is 14 degrees and raining in Paris.'
const weather = { temp: 14, sky: 'rain' }
const city = { city: 'Paris' }

const textMessage = (role: string, content: string) => ({
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
