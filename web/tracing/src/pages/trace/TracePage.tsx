import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button, Progress } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useTitle } from '../../shell/use-title.ts'
import { Panes } from './Panes.tsx'
import { TraceHeader } from './TraceHeader.tsx'
import styles from './trace.module.css'
import { type LoadedTrace, useLoadedTrace } from './use-loaded-trace.ts'

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
        loading={loaded.isRefreshing}
        onClick={loaded.refresh}
      >
        Load the changes
      </Button>
    </div>
  )
}
