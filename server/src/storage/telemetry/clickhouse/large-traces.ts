import { scaleToMemory } from '../../../platform/scale-to-memory.ts'
import type { TraceAggregate } from '../aggregates/trace-aggregate.ts'
import type { CountedRow } from './span-columns.ts'

/*
 * Large traces that were changed last, with what their totals are computed from, so that a trace which arrives in many
 * batches is not read again for each. Whoever changes one takes it out, and puts it back when it is what is stored.
 */

export interface CountedTrace {
  readonly spans: TraceAggregate<CountedRow>
  /** The sum of the versions of its spans, and the largest one. */
  readonly version: bigint
  readonly newest: bigint
}

export interface LargeTraces {
  take(key: string): CountedTrace | undefined
  /** Caches it if it is large, and drops those changed longest ago. */
  put(key: string, trace: CountedTrace): void
}

/** Enough for a trace of the maximum size, unless its texts are long. */
const cachedBytesMax = scaleToMemory(96 * 1024 * 1024)
/** What each span takes besides its texts. */
const spanBytes = 700
/** Smaller ones are read again as fast as they are checked. */
const largeTraceSpans = 1000

export function openLargeTraces(spansMin = largeTraceSpans): LargeTraces {
  // In the order of the last change, each with its estimated size.
  const cached = new Map<string, { readonly trace: CountedTrace; readonly bytes: number }>()
  let bytesInUse = 0
  const drop = (key: string) => {
    bytesInUse -= cached.get(key)?.bytes ?? 0
    cached.delete(key)
  }
  return {
    take(key) {
      const trace = cached.get(key)?.trace
      drop(key)
      return trace
    },

    put(key, trace) {
      drop(key)
      if (trace.spans.size < spansMin) return
      const bytes = spanBytes * trace.spans.size + trace.spans.textLength
      cached.set(key, { trace, bytes })
      bytesInUse += bytes
      for (const oldest of cached.keys()) {
        if (bytesInUse <= cachedBytesMax) break
        drop(oldest)
      }
    },
  }
}
