import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import { IconChevronLeft, IconListTree, IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { sessionTracesQuery } from '../../api/trace-sessions.ts'
import { useLiveTraces } from '../../api/use-live-traces.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useTitle } from '../../shell/use-title.ts'
import styles from './session.module.css'
import { TurnView } from './TurnView.tsx'

const route = getRouteApi('/signed-in/p/$projectId/sessions/$sessionId')

/** A session as one conversation, trace after trace, the oldest of those loaded first. */
export function SessionPage() {
  const { projectId, sessionId } = route.useParams()
  useTitle(`Session ${sessionId}`)
  const nowMs = useNow(10_000)
  const list = useInfiniteQuery(sessionTracesQuery(projectId, sessionId))
  useLiveTraces(projectId, {
    isOn: true,
    onTraces: (changed) => {
      if (changed.some(({ session_id }) => session_id === sessionId)) void list.refetch()
    },
    // What came before the stream began is on the pages that were asked for meanwhile.
    onConnected: () => undefined,
  })
  const traces = (list.data?.pages.flatMap((page) => page.traces) ?? []).toReversed()
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.titleRow}>
          <Link to="/p/$projectId/sessions" params={{ projectId }} className={styles.back}>
            <IconChevronLeft size={15} aria-hidden />
            Sessions
          </Link>
          <h1 className={styles.title}>{sessionId}</h1>
          <CopyButton text={sessionId} label="Copy session id" />
        </div>
        <LinkButton
          to="/p/$projectId/traces"
          params={{ projectId }}
          search={{ session_id: sessionId }}
          variant="default"
          leftSection={<IconListTree size={14} />}
        >
          As a list of traces
        </LinkButton>
      </header>
      {list.isPending ? (
        <TableSkeleton rows={8} />
      ) : list.isError && traces.length === 0 ? (
        <RequestProblem error={list.error} onRetry={() => void list.refetch()} />
      ) : traces.length === 0 ? (
        <EmptyState
          icon={<IconMessages size={20} stroke={1.75} />}
          title="No trace names this session"
        >
          Its traces may have been removed, or kept no longer than the project keeps them.
        </EmptyState>
      ) : (
        <>
          <p className={styles.count} role="status">
            {countOf(traces.length, 'trace')} {list.hasNextPage ? 'loaded, older above' : 'in all'}
          </p>
          {list.hasNextPage && (
            <div className={styles.older}>
              <FormError message={list.isFetchNextPageError ? list.error.message : undefined} />
              <Button
                variant="default"
                loading={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage({ cancelRefetch: false })}
              >
                Load older
              </Button>
            </div>
          )}
          <ol className={styles.turns}>
            {traces.map((trace) => (
              <TurnView key={trace.trace_id} trace={trace} nowMs={nowMs} />
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
