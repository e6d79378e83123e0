import { limits } from '@assay/contract/limits.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { useState } from 'react'
import type { TracesPage } from '../../api/traces.ts'
import type { Selection } from './use-selection.ts'

export interface SelectAll {
  /** Undefined when there is nothing more to select. */
  readonly label: string | undefined
  readonly isLoading: boolean
  readonly run: () => void
}

interface Options {
  readonly traces: readonly Trace[]
  /** The matching traces; null while unknown. */
  readonly total: number | null
  /** False at the end of the list, and where a search has stopped at its limit. */
  readonly hasMore: boolean
  readonly fetchNext: () => Promise<NextPage>
  readonly selection: Selection
}

interface NextPage {
  readonly data: { readonly pages: readonly TracesPage[] } | undefined
  readonly hasNextPage: boolean
  readonly isError: boolean
}

const max = limits.changedTraces.value

/** Selects the matching traces in the order of the list, as many as one request may change, loading them first. */
export function useSelectAll({ traces, total, hasMore, fetchNext, selection }: Options): SelectAll {
  const [isLoading, setLoading] = useState(false)

  async function run(): Promise<void> {
    setLoading(true)
    let loaded = traces
    for (let more = hasMore; more && loaded.length < max; ) {
      const { data, hasNextPage, isError } = await fetchNext()
      loaded = data?.pages.flatMap((page) => page.traces) ?? loaded
      more = hasNextPage && !isError && data?.pages.at(-1)?.completeFrom === null
    }
    selection.toggleAll(loaded.slice(0, max), true)
    setLoading(false)
  }

  const count = hasMore ? total : traces.length
  const selected = traces.slice(0, max).filter(({ trace_id }) => selection.has(trace_id)).length
  const isDone = selected === Math.min(traces.length, max) && (!hasMore || selected === max)
  return {
    label: isDone ? undefined : labelOf(count),
    isLoading,
    run: () => void run(),
  }
}

function labelOf(count: number | null): string {
  if (count === null) return `Select up to ${formatCount(max)}`
  return count > max ? `Select the first ${formatCount(max)}` : `Select all ${formatCount(count)}`
}
