import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import type { ReviewQueue } from '@assay/contract/review-queues.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { formatCount } from '@assay/ui/number-format.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Progress } from '@mantine/core'
import { IconEyeCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { reviewQueuesQuery, useRemoveReviewQueue } from '../../api/review-queues.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { TwoLines } from '../../page/TwoLines.tsx'
import { listFilterLabels, toTraceSearch } from '../../parts/filter-labels.ts'
import { useProject } from '../../shell/use-project.ts'
import styles from './review.module.css'

/** The queues of traces that people score one after another. */
export function ReviewQueuesPage() {
  useTitle('Review')
  const current = useProject()
  const { project, can } = current
  const canReview = can('run_agents')
  const queues = useQuery(reviewQueuesQuery(project.id))
  const removing = useDialog<ReviewQueue>()
  return (
    <ListPage
      title="Review queues"
      lead="Traces that people score one after another. Create a queue from the menu of a filtered list of traces: More, Review matching traces."
      note={<PermissionNote access={current} needs="run_agents" to="review traces" />}
      action={
        canReview && (
          <LinkButton
            to="/p/$projectId/traces"
            params={{ projectId: project.id }}
            variant="default"
          >
            Choose traces
          </LinkButton>
        )
      }
      isWide
      rows={queues}
      noun={['queue', 'queues']}
      columns={columnsFor(project.id, canReview)}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      actions={
        canReview
          ? (queue) => [{ label: 'Delete', isDanger: true, onSelect: () => removing.open(queue) }]
          : undefined
      }
      empty={{
        Icon: IconEyeCheck,
        title: 'No review queues',
        text: 'Filter the list of traces, and choose More, Review matching traces.',
      }}
    >
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveReviewQueue(project.id)}
        variables={({ id }) => id}
        title="Delete this queue?"
        confirmLabel="Delete queue"
      >
        {({ name }) => (
          <p>
            <strong>{name}</strong> will be deleted. Its traces and their scores are kept.
          </p>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}

function columnsFor(projectId: string, canReview: boolean): readonly Column<ReviewQueue>[] {
  return [
    {
      ...{ key: 'name', header: 'Queue', sortValue: ({ name }) => name },
      cell: (queue) => (
        <TwoLines below={listFilterLabels(toTraceSearch(queue.filters), 0).join(', ')}>
          {canReview ? (
            <Link
              to="/p/$projectId/scores/review/$queueId"
              params={{ projectId, queueId: queue.id }}
            >
              {queue.name}
            </Link>
          ) : (
            <strong>{queue.name}</strong>
          )}
        </TwoLines>
      ),
    },
    {
      ...{ key: 'score', header: 'Score', sortValue: ({ score_name }) => score_name },
      cell: ({ score_name }) => score_name,
    },
    {
      ...{ key: 'progress', header: 'Reviewed', align: 'end', sortValue: remainingOf },
      cell: (queue) => (
        <TwoLines below={<QueueProgress queue={queue} />}>
          {formatCount(queue.reviewed_count)} of {formatCount(queue.trace_count)}
        </TwoLines>
      ),
    },
    {
      ...{ key: 'created', header: 'Created', sortValue: ({ created_at }) => created_at },
      cell: ({ created_at, created_by_name: name }) => (
        <TwoLines below={name ?? 'Former member'}>
          <TimeText at={created_at} withAge />
        </TwoLines>
      ),
    },
  ]
}

function remainingOf({ trace_count, reviewed_count, removed_count }: ReviewQueue): number {
  return trace_count - reviewed_count - removed_count
}

function QueueProgress({ queue }: { readonly queue: ReviewQueue }) {
  const { reviewed_count, trace_count, removed_count } = queue
  return (
    <>
      {removed_count > 0 && `${formatCount(removed_count)} deleted`}
      <Progress
        className={styles.progress ?? ''}
        size="xs"
        value={(100 * (reviewed_count + removed_count)) / trace_count}
        aria-label="Reviewed"
      />
    </>
  )
}
