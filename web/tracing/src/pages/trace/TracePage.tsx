import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button, Progress, Splitter } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useTitle } from '../../shell/use-title.ts'
import { SpanPane } from './SpanPane.tsx'
import { parseSpanSearch } from './span-search.ts'
import { buildTree } from './span-tree.ts'
import { TraceHeader } from './TraceHeader.tsx'
import { TreePane } from './TreePane.tsx'
import styles from './trace.module.css'
import { type LoadedTrace, useLoadedTrace } from './use-loaded-trace.ts'
import { useSelectedSpan } from './use-selected-span.ts'

const route = getRouteApi('/signed-in/p/$projectId/traces/$traceId')

/** One trace: its tree on a time line, and the span that is looked at. */
export function TracePage() {
  const { projectId, traceId } = route.useParams()
  return <TraceView key={traceId} projectId={projectId} traceId={traceId} />
}

interface Props {
  readonly projectId: string
  readonly traceId: string
}

function TraceView({ projectId, traceId }: Props) {
  const loaded = useLoadedTrace(projectId, traceId)
  const { trace, spans, error, retry } = loaded
  useTitle(trace?.root_name || 'Trace')

  if (trace === undefined) {
    if (error === null) return <TableSkeleton rows={12} rowHeightPx={30} />
    return (
      <RequestProblem
        error={error}
        onRetry={retry}
        actions={
          <LinkButton to="/p/$projectId/traces" params={{ projectId }} variant="subtle">
            To the traces
          </LinkButton>
        }
      />
    )
  }
  return (
    <div className={styles.page}>
      <TraceHeader trace={trace} />
      <LoadingLine loaded={loaded} loadedCount={spans.length} spanCount={trace.span_count} />
      <Panes {...{ projectId, traceId, loaded }} />
    </div>
  )
}

interface LineProps {
  readonly loaded: LoadedTrace
  readonly loadedCount: number
  readonly spanCount: number
}

/** How far loading is, what stopped it, and whether there is news. Nothing when all is well. */
function LoadingLine({ loaded, loadedCount, spanCount }: LineProps) {
  if (loaded.error !== null) {
    return (
      <div className={styles.line} role="alert">
        Only {loadedCount.toLocaleString('en-US')} of {spanCount.toLocaleString('en-US')} spans
        could be loaded. {loaded.error.message}
        <Button variant="default" size="compact-xs" onClick={loaded.retry}>
          Load the rest
        </Button>
      </div>
    )
  }
  if (!loaded.isComplete) {
    return (
      <div className={styles.line} role="status">
        <Progress
          className={styles.progress}
          value={(loadedCount / Math.max(1, spanCount)) * 100}
          aria-label="Spans loaded"
        />
        {loadedCount.toLocaleString('en-US')} of {spanCount.toLocaleString('en-US')} spans loaded
      </div>
    )
  }
  if (!loaded.isOutdated) return null
  return (
    <div className={styles.line} role="status">
      This trace has changed since it was loaded.
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconRefresh size={13} />}
        loading={loaded.isRenewing}
        onClick={loaded.renew}
      >
        Load the changes
      </Button>
    </div>
  )
}

function Panes({ projectId, traceId, loaded }: Props & { readonly loaded: LoadedTrace }) {
  const search = route.useSearch({ select: parseSpanSearch })
  const navigate = route.useNavigate()
  const [selected, select] = useSelectedSpan(search.span, (span) => {
    void navigate({ search: (before) => ({ ...before, span }), replace: true })
  })
  const tree = useMemo(() => buildTree(loaded.spans), [loaded.spans])
  const isNarrow = useMediaQuery('(width < 900px)', false, { getInitialValueInEffect: false })

  const first = tree.nodes[tree.roots[0] ?? -1]?.span.span_id
  const shown = selected ?? first
  const head = tree.nodes[tree.positionOf.get(shown ?? '') ?? -1]?.span
  const treePane = (
    <TreePane tree={tree} isComplete={loaded.isComplete} selectedId={shown} onSelect={select} />
  )
  const spanPane = shown !== undefined && (
    <SpanPane
      projectId={projectId}
      traceId={traceId}
      spanId={shown}
      head={head}
      isLoadingTrace={!loaded.isComplete}
      tab={search.tab}
      onTab={(tab) => void navigate({ search: (before) => ({ ...before, tab }), replace: true })}
    />
  )
  if (isNarrow) {
    return (
      <div className={styles.stack}>
        <div className={styles.stackTree} style={{ height: treeHeightPx(tree.nodes.length) }}>
          {treePane}
        </div>
        {spanPane}
      </div>
    )
  }
  return (
    <Splitter className={styles.panes} lineSize={1} handleColor="var(--line)" withHandle={false}>
      <Splitter.Pane defaultSize={56} min={25} className={styles.pane}>
        {treePane}
      </Splitter.Pane>
      <Splitter.Pane defaultSize={44} min={25} className={styles.pane}>
        {spanPane}
      </Splitter.Pane>
    </Splitter>
  )
}

/** As high as its rows, the toolbar and the ruler need; the style sheet sets the most it may be. */
function treeHeightPx(spans: number): number {
  return 72 + spans * 28
}
