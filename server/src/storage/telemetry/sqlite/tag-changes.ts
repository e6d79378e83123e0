import type { Instant } from '../../../domain/instant.ts'
import type { TagChanges } from '../../../domain/span.ts'
import { changeTags } from '../../../domain/trace-labels.ts'
import type { Steps } from '../steps.ts'
import type { TraceStates } from './trace-states.ts'
import type { Transaction } from './transactions.ts'
import type { Writing } from './write-statements.ts'

/*
 * Changes the tags of traces, each in a transaction of its own.
 */

export interface Tagging {
  readonly projectId: string
  readonly traceIds: readonly string[]
  readonly changes: TagChanges
}

export function prepareTagging(
  states: TraceStates,
  writing: Writing,
  transaction: Transaction,
): (tagging: Tagging, at: Instant) => Steps<{ readonly traceIds: readonly string[] }> {
  const tagOne = function* (
    projectNo: number,
    traceId: string,
    changes: TagChanges,
    at: Instant,
  ): Steps<boolean> {
    const trace = yield* states.take(projectNo, traceId)
    if (!trace.isStored) {
      states.invalidate([trace])
      return false
    }
    try {
      yield* trace.spans.update()
      trace.labels = changeTags(trace.labels, changes)
      return transaction([trace], () => {
        writing.putTrace(trace, at)
        return true
      })
    } catch (error) {
      states.invalidate([trace])
      throw error
    }
  }
  return function* ({ projectId, traceIds, changes }, at) {
    const projectNo = writing.findProjectNo(projectId)
    if (projectNo === undefined) return { traceIds: [] }
    const tagged: string[] = []
    for (const traceId of new Set(traceIds)) {
      if (yield* tagOne(projectNo, traceId, changes, at)) tagged.push(traceId)
      yield
    }
    return { traceIds: tagged }
  }
}
