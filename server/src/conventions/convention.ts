import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import type { Usage } from '../domain/span.ts'
import type { DecodedSpan } from './decoded-span.ts'

/*
 * A convention is one vocabulary of attributes by which instrumentations tell what a span means. Each is one
 * file with its keys in a table at the top; adding one means writing that file and naming it in precedence.ts.
 * Undefined always means: this convention says nothing of that.
 */
export interface Convention {
  /** What its keys begin with, up to the first dot. Spans without such keys are not looked at. */
  readonly namespaces: readonly string[]
  readonly kind: (span: DecodedSpan) => WellKnownKind | undefined
  readonly model: (span: DecodedSpan) => string | undefined
  readonly usage: (span: DecodedSpan) => Usage | undefined
  readonly costUsd: (span: DecodedSpan) => number | undefined
  readonly sessionId: (span: DecodedSpan) => string | undefined
  readonly userId: (span: DecodedSpan) => string | undefined
  /** Messages with their roles, in the form of OpenTelemetry GenAI: `[{role, parts: [{type, …}]}]`. */
  readonly messagesIn: (span: DecodedSpan) => JsonText | undefined
  readonly messagesOut: (span: DecodedSpan) => JsonText | undefined
  /** Any other form of what went in and came out: arguments, results, documents, opaque text. */
  readonly valueIn: (span: DecodedSpan) => JsonText | undefined
  readonly valueOut: (span: DecodedSpan) => JsonText | undefined
}
