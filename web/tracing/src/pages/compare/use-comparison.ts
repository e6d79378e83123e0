import type { ListedSpan } from '@assay/contract/traces.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { traceBodiesQuery } from '../../api/trace-outputs.ts'
import type { SpanTree } from '../../spans/span-tree.ts'
import { type AlignedSpan, align } from './align.ts'
import {
  countDifferences,
  type Difference,
  type DifferenceCounts,
  differenceOf,
  differingRows,
} from './differences.ts'
import { type Digests, digestsOf, outputsDiffer } from './output-digests.ts'
import type { WholeTrace } from './use-whole-trace.ts'

export interface Comparison {
  readonly a: SpanTree
  readonly b: SpanTree
  readonly aligned: readonly AlignedSpan[]
  /** One for each of `aligned`. */
  readonly differences: readonly Difference[]
  /** Positions of the rows that differ and of their ancestors. */
  readonly differing: readonly number[]
  readonly counts: DifferenceCounts
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
  const spans = (a.trace?.span_count ?? 0) + (b.trace?.span_count ?? 0)
  const [isRequested, setRequested] = useState(false)
  const enabled = isRequested || (spans > 0 && spans <= maxAutoLoadedSpans)
  const readA = useDigests(projectId, a.trace?.trace_id ?? '', enabled)
  const readB = useDigests(projectId, b.trace?.trace_id ?? '', enabled)

  const aligned = useMemo(() => align(a.tree, b.tree), [a.tree, b.tree])
  const compared = useMemo(() => {
    const differ = outputsDiffer(a.tree, b.tree, readA.digests, readB.digests)
    const differences = aligned.map((row) => differenceOf(row, a.tree, b.tree, differ))
    return {
      differences,
      differing: differingRows(aligned, differences),
      counts: countDifferences(aligned, differences, a.tree, b.tree),
    }
  }, [aligned, a.tree, b.tree, readA.digests, readB.digests])

  const isFailed = readA.isError || readB.isError
  const isRead = readA.isSuccess && readB.isSuccess
  return {
    a: a.tree,
    b: b.tree,
    aligned,
    ...compared,
    outputs: {
      state: isFailed ? 'failed' : isRead ? 'compared' : enabled ? 'reading' : 'unread',
      compare() {
        setRequested(true)
        if (readA.isError) readA.refetch()
        if (readB.isError) readB.refetch()
      },
    },
  }
}

const none: Digests = new Map()
const entriesOf = (spans: readonly ListedSpan[]) => digestsOf(spans)

function useDigests(projectId: string, traceId: string, enabled: boolean) {
  const query = useQuery({
    ...traceBodiesQuery(projectId, traceId, 'digests', entriesOf),
    enabled,
  })
  const digests = useMemo(
    () => (query.data === undefined ? none : new Map(query.data)),
    [query.data],
  )
  const { isError, isSuccess, refetch } = query
  return { digests, isError, isSuccess, refetch: () => void refetch() }
}
