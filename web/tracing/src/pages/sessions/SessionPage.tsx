import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button } from '@mantine/core'
import { IconChevronLeft, IconListTree, IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { sessionTracesQuery } from '../../api/trace-sessions.ts'
import { useLiveTraces } from '../../api/use-live-traces.ts'
import { RawSwitch } from '../../conversation/RawSwitch.tsx'
import styles from './session.module.css'
import { TurnView } from './TurnView.tsx'

const route = getRouteApi('/signed-in/p/$projectId/sessions/$sessionId')

/** A session as one conversation, oldest loaded trace first. */
export function SessionPage() {
  const { projectId, sessionId } = route.useParams()
  useTitle(`Session ${sessionId}`)
  const list = useInfiniteQuery(sessionTracesQuery(projectId, sessionId))
  useLiveTraces(projectId, {
    isOn: true,
    onTraces: (changed) => {
      if (changed.some(({ session_id }) => session_id === sessionId)) void list.refetch()
    },
    // Nothing was missed: the list was requested at the same time.
    onConnected: () => Promise.resolve(),
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
          <CopyButton text={sessionId} label="Copy session ID" />
        </div>
        <div className={styles.actions}>
          <RawSwitch />
          <LinkButton
            to="/p/$projectId/traces"
            params={{ projectId }}
            search={{ session_id: sessionId, mode: 'all' }}
            variant="default"
            leftSection={<IconListTree size={14} />}
          >
            View as list
          </LinkButton>
        </div>
      </header>
      {list.isPending ? (
        <TableSkeleton rows={8} />
      ) : list.isError && traces.length === 0 ? (
        <RequestProblem error={list.error} onRetry={() => void list.refetch()} />
      ) : traces.length === 0 ? (
        <EmptyState icon={<IconMessages size={20} stroke={1.75} />} title="Session not found">
          Its traces may have been deleted or reached the end of their retention period.
        </EmptyState>
      ) : (
        <>
          <p className={styles.count} role="status">
            {countOf(traces.length, 'trace')}
            {list.hasNextPage && ' loaded, more available'}
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
              <TurnView key={trace.trace_id} trace={trace} />
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
