import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { lazyView } from '@assay/ui/lazy-part.tsx'
import { Problem } from '@assay/ui/Problem.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { spanQuery } from '../../api/traces.ts'
import type { SpanNode } from '../../spans/span-tree.ts'
import { ErrorBox } from './ErrorBox.tsx'
import { SpanFacts } from './SpanFacts.tsx'
import styles from './span.module.css'
import type { DetailTab } from './view-search.ts'

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly spanId: string
  /** The span in the tree; undefined if it is not there (yet). */
  readonly node: SpanNode | undefined
  /** The call within that counts in its place. */
  readonly innerCallId: string | undefined
  readonly isLoadingTrace: boolean
  readonly tab: DetailTab | undefined
  readonly onTab: (tab: DetailTab) => void
}

/** Loads beside the bodies, so that the tree, which is shown first, does not wait for it. */
const SpanBodies = lazyView(
  () => import('./SpanBodies.tsx').then((file) => file.SpanBodies),
  <TableSkeleton rows={5} />,
)

/** Skips spans passed over while an arrow key is held. */
const debounceMs = 90

export function SpanPane(props: Props) {
  const { projectId, traceId, spanId, node, isLoadingTrace, tab, onTab } = props
  const [debouncedId] = useDebouncedValue(spanId, debounceMs, { leading: true })
  const isDebouncing = debouncedId !== spanId
  const query = useQuery({ ...spanQuery(projectId, traceId, debouncedId), enabled: !isDebouncing })
  const span = isDebouncing ? undefined : query.data
  const shown = span ?? node?.span

  if (shown === undefined) {
    if (isLoadingTrace || query.isPending) return <TableSkeleton rows={6} />
    return (
      <Problem title="Span not found">
        This trace has no span <code>{spanId}</code>. Select another one in the tree.
      </Problem>
    )
  }
  return (
    <section className={styles.pane} aria-label="Span">
      <SpanFacts
        projectId={projectId}
        traceId={traceId}
        span={shown}
        isOpen={node?.isOpen === true}
        errorsBelow={node?.errorsBelow ?? 0}
        innerCallId={props.innerCallId}
      />
      <ErrorBox span={shown} />
      {span !== undefined ? (
        <SpanBodies key={spanId} {...{ projectId, traceId, span, tab, onTab }} />
      ) : query.isError && !isDebouncing ? (
        <RequestProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <TableSkeleton rows={5} />
      )}
    </section>
  )
}
