import { type Instant, parseInstant } from '../domain/instant.ts'
import { emptyArray, emptyObject, toJsonText, toStorableJson } from '../domain/json-text.ts'
import { noPrice, noPricingFacts, noUsage, type Span } from '../domain/span.ts'
import { newSecret } from '../platform/ids.ts'
import type { CallReport, ModelMessage } from './model-call.ts'

/*
 * The span of a call that the service itself makes.
 */

export interface CallFacts {
  readonly traceId: string
  readonly name: string
  /** The part of the service that calls. */
  readonly service: string
  readonly attributes: Readonly<Record<string, string>>
  readonly model: string
  readonly provider: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly report: CallReport
  /** Undefined: it succeeded. */
  readonly problem: string | undefined
  readonly endedAt: Date
}

export function callSpan(facts: CallFacts): Span {
  const { report, system, messages, problem, traceId, name, model, provider, service } = facts
  const sent = [{ role: 'system', content: system }, ...messages]
  const answered = report.text === null ? [] : [{ role: 'assistant', content: report.text }]
  const json = (value: unknown) => toStorableJson(toJsonText(value))
  return {
    ...noPrice,
    ...noPricingFacts,
    ...noUsage,
    ...report.usage,
    ...{ traceId, spanId: newSecret(8), parentSpanId: null },
    ...{ name, kind: 'llm', model, provider },
    ...{ status: problem === undefined ? 'OK' : 'ERROR', statusMessage: problem ?? null },
    ...times(facts),
    ...{ costUsd: report.costUsd, costSource: report.costUsd === null ? 'unknown' : 'reported' },
    ...{ sessionId: null, userId: null, environment: null, service, sdk: null },
    ...{ responseId: null, repeatsSpanId: null, isSeparateCall: false },
    ...{ tags: null, traceName: null },
    body: {
      input: json({ messages: sent }),
      output: json({ messages: answered }),
      attributes: json(facts.attributes),
      ...{ events: emptyArray, links: emptyArray, resource: emptyObject, scope: emptyObject },
    },
  }
}

function times({ endedAt, report }: CallFacts) {
  const latencyMs = Math.round(report.latencyMs)
  const at = (ms: number): Instant => parseInstant(new Date(ms).toISOString())
  const endMs = endedAt.getTime()
  return { latencyMs, startedAt: at(endMs - latencyMs), endedAt: at(endMs) }
}
