import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { traceBodiesQuery } from '../../api/trace-outputs.ts'
import { align } from './align.ts'
import { type ComparedSpan, findDifferences } from './differences.ts'
import { isOutputDifferent, toDigests } from './output-digests.ts'
import type { WholeTrace } from './use-whole-trace.ts'

export interface Comparison {
  readonly spans: readonly ComparedSpan[]
  readonly outputs: Outputs
}

export interface Outputs {
  readonly state: 'unread' | 'reading' | 'compared' | 'failed'
  readonly compare: () => void
}

/** Outputs are compared automatically up to this total number of spans. */
const maxAutoLoadedSpans = 400

/** Aligns and compares two traces as far as they are loaded. */
export function useComparison(projectId: string, a: WholeTrace, b: WholeTrace): Comparison {
  const [isRequested, setRequested] = useState(false)
  const spanCount = a.trace.span_count + b.trace.span_count
  const enabled = isRequested || spanCount <= maxAutoLoadedSpans
  const idA = a.trace.trace_id
  const idB = b.trace.trace_id
  const ofA = useQuery({ ...traceBodiesQuery(projectId, idA, 'digests', toDigests), enabled })
  const ofB = useQuery({ ...traceBodiesQuery(projectId, idB, 'digests', toDigests), enabled })

  const aligned = useMemo(() => align(a.tree, b.tree), [a.tree, b.tree])
  const spans = useMemo(() => {
    const [digestsA, digestsB] = [new Map(ofA.data), new Map(ofB.data)]
    return aligned.map((row) => ({
      ...row,
      differences: findDifferences(row, isOutputDifferent(row, digestsA, digestsB)),
    }))
  }, [aligned, ofA.data, ofB.data])

  const isFailed = ofA.isError || ofB.isError
  const isRead = ofA.isSuccess && ofB.isSuccess
  return {
    spans,
    outputs: {
      state: isFailed ? 'failed' : isRead ? 'compared' : enabled ? 'reading' : 'unread',
      compare() {
        setRequested(true)
        if (ofA.isError) void ofA.refetch()
        if (ofB.isError) void ofB.refetch()
      },
    },
  }
}
