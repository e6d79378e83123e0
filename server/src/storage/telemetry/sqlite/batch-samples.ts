import type { Span } from '../../../domain/span.ts'
import { encodeSpansForSqlite } from './encode-spans.ts'
import type { Batch } from './writer.ts'

/** Spans as the writer gets them, for tests. */
export function toBatch(spans: readonly Span[], rest: Partial<Batch> = {}): Batch {
  const { parts } = encodeSpansForSqlite(spans)
  return {
    ...{ signal: 'spans', projectId: 'p', source: 'json', labels: null },
    ...{ parts, idempotency: null, ...rest },
  }
}
