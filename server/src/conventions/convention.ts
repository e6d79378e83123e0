import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import type { Keys } from './attribute-reading.ts'
import type { DecodedSpan } from './decoded-span.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * A convention is the set of attributes with which an instrumentation describes a span. Each is one file with its
 * keys in a table at the top; to add one, write that file and list it in precedence.ts.
 */

/** What a convention may report of a span; undefined where it has no value. */
export interface Facts {
  /** The name to show, where that of the span is a template. */
  readonly name: (span: DecodedSpan) => string | undefined
  readonly kind: (span: DecodedSpan) => WellKnownKind | undefined
  readonly model: (span: DecodedSpan) => string | undefined
  /** `running-total`: the counts on the span are not its own, and conventions after this one are not read. */
  readonly usage: (span: DecodedSpan) => ReportedUsage | 'running-total' | undefined
  readonly costUsd: (span: DecodedSpan) => number | undefined
  /** The cost of only a part of the call; used if no convention has the cost of all of it. */
  readonly partialCostUsd: (span: DecodedSpan) => number | undefined
  /** System instructions that are reported apart from the messages. */
  readonly instructions: (span: DecodedSpan) => JsonText | undefined
  /** Messages with their roles, in the form of OpenTelemetry GenAI where it costs nothing: `[{role, parts: [{type, …}]}]`. */
  readonly messagesIn: (span: DecodedSpan) => JsonText | undefined
  readonly messagesOut: (span: DecodedSpan) => JsonText | undefined
  /** Any other form of input and output: arguments, results, documents, opaque text. */
  readonly valueIn: (span: DecodedSpan) => JsonText | undefined
  readonly valueOut: (span: DecodedSpan) => JsonText | undefined
  /** A session under a key that only means one in this convention. */
  readonly sessionId: (span: DecodedSpan) => string | undefined
  /** The reason of a failure that the span's status does not show; may be empty. */
  readonly failure: (span: DecodedSpan) => string | undefined
}

export type Fact = keyof Facts

export interface Convention extends Partial<Facts> {
  readonly title: string
  /** Which tools use it and how it differs, for the reference page. */
  readonly about: string
  /** What its keys begin with. Spans without such a key are skipped. */
  readonly prefixes: readonly string[]
  /** Prefixes of span names that use it, where keys alone do not show it. */
  readonly spanNames?: readonly string[]
  readonly keys: KeyTable
  /** The kinds by their values under `keys.kind`. */
  readonly kinds?: ReadonlyMap<string, WellKnownKind>
}

/**
 * Which attributes fill which field; the first with a value counts. `<i>` stands for an index, and
 * `a › b` for the member `b` of the JSON under `a`.
 */
export type KeyTable = Partial<Readonly<Record<KeyField, Keys>>>

export type KeyField =
  | 'name'
  | 'kind'
  | 'model'
  | 'tokensIn'
  | 'tokensOut'
  | 'tokensTotal'
  | 'tokensCacheRead'
  | 'tokensCacheWrite'
  | 'tokensReasoning'
  | 'costUsd'
  | 'costParts'
  | 'instructions'
  | 'messagesIn'
  | 'messagesOut'
  | 'valueIn'
  | 'valueOut'
  | 'sessionId'
  | 'failure'
