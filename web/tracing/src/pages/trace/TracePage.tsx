import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button, Progress } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { findLastList } from '../../parts/last-list.ts'
import { Panes } from './Panes.tsx'
import { TraceHeader } from './TraceHeader.tsx'
import styles from './trace.module.css'
import { type LoadedTrace, useLoadedTrace } from './use-loaded-trace.ts'
import { useTraceTree } from './use-trace-tree.ts'

const route = getRouteApi('/signed-in/p/$projectId/traces/$traceId')

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
  const { trace, error, retry } = loaded
  useTitle(trace?.root_name || 'Trace')

  if (trace === undefined) {
    if (error === null) return <TableSkeleton rows={12} rowHeightPx={30} />
    return (
      <RequestProblem
        isPage
        error={error}
        onRetry={retry}
        actions={
          <LinkButton
            to="/p/$projectId/traces"
            params={{ projectId }}
            search={findLastList(projectId) ?? {}}
            variant="subtle"
          >
            Back to traces
          </LinkButton>
        }
      />
    )
  }
  return <LoadedView {...{ projectId, traceId, trace, loaded }} />
}

interface LoadedProps extends Props {
  readonly trace: Trace
  readonly loaded: LoadedTrace
}

function LoadedView({ projectId, traceId, trace, loaded }: LoadedProps) {
  const { tree, isComplete } = useTraceTree(loaded)
  return (
    <div className={styles.page}>
      <TraceHeader trace={trace} tree={tree} />
      <LoadingLine loaded={loaded} loadedCount={loaded.spans.length} spanCount={trace.span_count} />
      <Panes {...{ projectId, traceId, tree, isComplete }} spanCount={trace.span_count} />
    </div>
  )
}

interface LineProps {
  readonly loaded: LoadedTrace
  readonly loadedCount: number
  readonly spanCount: number
}

/** Loading progress, load errors and updates; nothing otherwise. */
function LoadingLine({ loaded, loadedCount, spanCount }: LineProps) {
  if (loaded.error !== null) {
    return (
      <div className={styles.line} role="alert">
        Loaded {loadedCount.toLocaleString('en-US')} of {spanCount.toLocaleString('en-US')} spans.{' '}
        {loaded.error.message}
        <Button variant="default" size="compact-xs" onClick={loaded.retry}>
          Retry
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
      This trace has been updated.
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconRefresh size={13} />}
        loading={loaded.isRefreshing}
        onClick={loaded.refresh}
      >
        Refresh
      </Button>
    </div>
  )
}
