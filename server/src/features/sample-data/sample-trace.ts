import type { DecodedLogRecord } from '../../conventions/decoded-signals.ts'
import type { AttributeValue, DecodedEvent, DecodedSpan } from '../../conventions/decoded-span.ts'
import type { Instant } from '../../domain/instant.ts'
import { severities } from '../../domain/log-record.ts'
import type { Random } from './random.ts'

/*
 * Builds one trace of the sample data: spans and log records as an OTLP exporter would send them. Times are
 * milliseconds since the start of the trace.
 */

/** Service, user and session: the same for every span of a trace. */
export interface Run {
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly startMs: number
  readonly service: SampleApp
  readonly version: '1.8.0' | '1.9.0'
  readonly environment: 'production' | 'staging'
  readonly sessionId: string
  readonly userId: string
  /** The turn of the session, counted from 0. */
  readonly turn: number
  readonly tags: readonly string[]
}

export type SampleApp =
  | 'support-desk'
  | 'handbook-search'
  | 'code-review'
  | 'market-research'
  | 'feedback-digest'
  | 'catalog-import'

export interface SampleSpan {
  /** An id of `newSpanId`, where children were added before their parent. */
  readonly spanId?: string
  readonly name: string
  /** Undefined: a root. */
  readonly parent?: string
  readonly fromMs: number
  readonly toMs: number
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>
  /** The error message. */
  readonly error?: SampleError
}

export interface SampleError {
  readonly type: string
  readonly message: string
}

export interface SampleLog {
  readonly span: string
  readonly atMs: number
  readonly level: keyof typeof severities
  readonly text: string
  readonly attributes?: Readonly<Record<string, AttributeValue>>
}

export interface SampleTrace {
  readonly random: Random
  readonly run: Run
  readonly traceId: string
  readonly spans: readonly DecodedSpan[]
  readonly logs: readonly DecodedLogRecord[]
  newSpanId(): string
  /** Returns the id of the span. */
  add(span: SampleSpan): string
  log(log: SampleLog): void
}

export function newSampleTrace(run: Run, random: Random): SampleTrace {
  const traceId = random.hex(32)
  const spans: DecodedSpan[] = []
  const logs: DecodedLogRecord[] = []
  const at = (ms: number) => instantAt(run.startMs + ms)
  return {
    random,
    run,
    traceId,
    spans,
    logs,
    newSpanId: () => random.hex(16),
    add({ spanId = random.hex(16), name, parent, fromMs, toMs, attributes, error }) {
      const failure = error === undefined ? [] : [['error.type', error.type] as const]
      spans.push({
        traceId,
        spanId,
        parentSpanId: parent ?? '',
        traceState: '',
        flags: 1,
        name,
        kind: parent === undefined ? 2 : 1,
        startedAt: at(fromMs),
        endedAt: at(toMs),
        misplacedEnd: 0n,
        attributes: new Map([...definedAttributes(attributes), ...failure]),
        droppedAttributesCount: 0,
        events: error === undefined ? [] : [toException(error, at(toMs))],
        droppedEventsCount: 0,
        links: [],
        droppedLinksCount: 0,
        statusCode: error === undefined ? 0 : 2,
        statusMessage: error?.message ?? '',
      })
      return spanId
    },
    log({ span, atMs, level, text, attributes = {} }) {
      logs.push({
        at: at(atMs),
        observedAt: at(atMs),
        severity: severities[level],
        severityText: level.toUpperCase(),
        body: text,
        attributes: new Map(Object.entries(attributes)),
        droppedAttributesCount: 0,
        flags: 1,
        traceId,
        spanId: span,
        eventName: '',
      })
    },
  }
}

export function instantAt(ms: number): Instant {
  return BigInt(Math.round(ms)) * 1_000_000n
}

function definedAttributes(
  attributes: SampleSpan['attributes'],
): (readonly [string, AttributeValue])[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
}

function toException({ type, message }: SampleError, at: Instant): DecodedEvent {
  const attributes = new Map([
    ['exception.type', type],
    ['exception.message', message],
  ])
  return { at, name: 'exception', attributes, droppedAttributesCount: 0 }
}
