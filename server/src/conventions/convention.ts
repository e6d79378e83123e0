import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import type { Usage } from '../domain/span.ts'
import type { Keys } from './attribute-reading.ts'
import type { DecodedSpan } from './decoded-span.ts'

/*
 * A convention is one vocabulary of attributes by which instrumentations tell what a span means. Each is one
 * file with its keys in a table at the top; adding one means writing that file and naming it in precedence.ts.
 */

/** What can be asked of a convention. Undefined always means: it says nothing of that. */
export interface Facts {
  readonly kind: (span: DecodedSpan) => WellKnownKind | undefined
  readonly model: (span: DecodedSpan) => string | undefined
  /** Without a count in it: what the span counts is not its own, and nobody else is asked. */
  readonly usage: (span: DecodedSpan) => Usage | undefined
  readonly costUsd: (span: DecodedSpan) => number | undefined
  /** Messages with their roles, in the form of OpenTelemetry GenAI where it costs nothing: `[{role, parts: [{type, …}]}]`. */
  readonly messagesIn: (span: DecodedSpan) => JsonText | undefined
  readonly messagesOut: (span: DecodedSpan) => JsonText | undefined
  /** Any other form of what went in and came out: arguments, results, documents, opaque text. */
  readonly valueIn: (span: DecodedSpan) => JsonText | undefined
  readonly valueOut: (span: DecodedSpan) => JsonText | undefined
  /** That the span failed, by other means than its status; with the reason, which may be empty. */
  readonly failure: (span: DecodedSpan) => string | undefined
}

export type Fact = keyof Facts

export interface Convention extends Partial<Facts> {
  readonly title: string
  /** Whose it is and what is odd about it, for the reference page. */
  readonly about: string
  /** What its keys begin with. A span with no such key is not looked at. */
  readonly prefixes: readonly string[]
  /** Beginnings of span names that speak it too, where keys alone do not show it. */
  readonly spanNames?: readonly string[]
  readonly keys: KeyTable
  /** What the words under `keys.kind` stand for. */
  readonly kinds?: ReadonlyMap<string, WellKnownKind>
}

/**
 * Which attributes fill which field, the first that says something counts. `<i>` stands for an index, and
 * `a › b` for the member `b` of the JSON under `a`.
 */
export type KeyTable = Partial<Readonly<Record<KeyField, Keys>>>

export type KeyField =
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
  | 'failure'
