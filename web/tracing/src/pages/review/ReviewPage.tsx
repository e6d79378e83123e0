import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import type { ReviewItem, ReviewQueue } from '@assay/contract/review-queues.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { formatCount } from '@assay/ui/number-format.ts'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { type OpenedReview, openedReviewQuery } from '../../api/review-queues.ts'
import { AccessDenied } from '../../page/AccessDenied.tsx'
import { useProject } from '../../shell/use-project.ts'
import { nextPosition } from './next-position.ts'
import { ReviewedTrace } from './ReviewedTrace.tsx'
import { ReviewForm } from './ReviewForm.tsx'
import styles from './review.module.css'

const route = getRouteApi('/signed-in/p/$projectId/scores/review/$queueId')

/** One trace of a review queue after another, with the form to score it. */
export function ReviewPage() {
  useTitle('Review')
  const { can } = useProject()
  if (!can('run_agents')) {
    return <AccessDenied>Members with the role Editor or above can review traces.</AccessDenied>
  }
  return <OpenedQueue />
}

function OpenedQueue() {
  const { projectId, queueId } = route.useParams()
  const { position } = usePageSearch(route)
  const navigate = route.useNavigate()
  const opened = useQuery(openedReviewQuery(projectId, queueId, position))
  if (opened.isPending) return <TableSkeleton rows={8} />
  if (opened.isLoadingError) {
    return <RequestProblem isPage error={opened.error} onRetry={() => void opened.refetch()} />
  }
  const { queue, item } = opened.data
  const here = {
    to: '/p/$projectId/scores/review/$queueId',
    params: { projectId, queueId },
  } as const
  if (position === undefined && item !== null) {
    return <Navigate {...here} search={{ position: item.position }} replace />
  }
  const open = (at: number | undefined) =>
    void navigate({ search: at === undefined ? {} : { position: at } })
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>{queue.name}</h1>
        <p className={styles.count}>{formatProgress(queue, item)}</p>
      </header>
      {item === null ? (
        <Finished projectId={projectId} queue={queue} />
      ) : (
        <div className={styles.columns}>
          <ReviewedTrace projectId={projectId} item={item} />
          <ReviewForm
            // Another trace starts with an empty form.
            key={item.position}
            queue={queue}
            item={item}
            onOpened={(next: OpenedReview) => open(nextPosition(item, next))}
            onPrevious={() => item.position > 1 && open(item.position - 1)}
          />
        </div>
      )}
    </div>
  )
}

function formatProgress(queue: ReviewQueue, item: ReviewItem | null): string {
  const { trace_count: count, reviewed_count: reviewed } = queue
  const place =
    item === null ? '' : `Trace ${formatCount(item.position)} of ${formatCount(count)}, `
  return `${place}${formatCount(reviewed)} reviewed`
}

interface FinishedProps {
  readonly projectId: string
  readonly queue: ReviewQueue
}

function Finished({ projectId, queue }: FinishedProps) {
  const { score_name: score, trace_count, reviewed_count, removed_count } = queue
  const remaining = trace_count - reviewed_count - removed_count
  return (
    <EmptyState
      icon={<IconCircleCheck size={20} stroke={1.75} />}
      title={remaining === 0 ? 'All traces are reviewed' : 'No trace left for you'}
      actions={
        <>
          <LinkButton
            to="/p/$projectId/traces"
            params={{ projectId }}
            search={{ score, mode: 'all' }}
          >
            Open traces with this score
          </LinkButton>
          <LinkButton
            to="/p/$projectId/scores/review/$queueId"
            params={{ projectId, queueId: queue.id }}
            search={{ position: 1 }}
            variant="default"
          >
            Open the first trace
          </LinkButton>
          <LinkButton to="/p/$projectId/scores/review" params={{ projectId }} variant="default">
            All queues
          </LinkButton>
        </>
      }
    >
      {remaining === 0
        ? `${countOf(reviewed_count, 'trace')} reviewed${removed_count > 0 ? `, ${formatCount(removed_count)} deleted` : ''}. You can score them too: the score of each person is kept.`
        : `Others are reviewing ${countOf(remaining, 'trace')}.`}
    </EmptyState>
  )
}
