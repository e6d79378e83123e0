import { sessionQuery } from '@assay/account/api/session.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import type { Comment } from '@assay/contract/comments.ts'
import { limits } from '@assay/contract/limits.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { Continuation } from '@assay/ui/table/Continuation.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { useSingleFlight } from '@assay/ui/use-single-flight.ts'
import { ActionIcon, Button, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { commentsQuery, useCreateComment, useRemoveComment } from '../../api/comments.ts'
import styles from './comments.module.css'
import views from './views.module.css'

interface Props {
  readonly projectId: string
  readonly traceId: string
}

export function CommentsView({ projectId, traceId }: Props) {
  const query = useInfiniteQuery(commentsQuery(projectId, traceId))
  const session = useQuery(sessionQuery)
  const removing = useRemoveComment(projectId, traceId)
  const dialog = useDialog<Comment>()
  if (query.isPending) return <TableSkeleton rows={3} />
  if (query.isLoadingError) {
    return <RequestProblem error={query.error} onRetry={() => void query.refetch()} />
  }
  const { comments } = query.data
  return (
    <div className={views.view}>
      {comments.length === 0 && (
        <p className={views.note}>No comments yet. Visible to everyone in this project.</p>
      )}
      <ol className={styles.list}>
        {comments.map((comment) => (
          <li key={comment.id} className={styles.comment}>
            <div className={styles.head}>
              <strong>{comment.author?.name ?? 'Former member'}</strong>
              <span className="dimmed">
                <TimeText at={comment.created_at} withAge />
              </span>
              {comment.author !== null && comment.author.id === session.data?.user.id && (
                <ActionIcon
                  size="sm"
                  className={styles.remove}
                  aria-label="Delete comment"
                  onClick={() => dialog.open(comment)}
                >
                  <IconTrash size={14} stroke={1.75} />
                </ActionIcon>
              )}
            </div>
            <p className={styles.text}>{comment.text}</p>
          </li>
        ))}
      </ol>
      <Continuation query={query} />
      <CommentForm projectId={projectId} traceId={traceId} />
      <ConfirmDialog
        dialog={dialog}
        mutation={removing}
        variables={({ id }) => id}
        title="Delete this comment?"
        confirmLabel="Delete comment"
      >
        {({ text }) => <p className={styles.text}>{text}</p>}
      </ConfirmDialog>
    </div>
  )
}

function CommentForm({ projectId, traceId }: Props) {
  const creating = useCreateComment(projectId, traceId)
  const create = useSingleFlight(creating)
  const [text, setText] = useState('')
  const isReady = text.trim() !== '' && text.length <= limits.commentLength.value
  function send(): void {
    if (isReady) create(text, () => setText(''))
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Textarea
        label="Comment"
        description="Ctrl+Enter to send"
        autosize
        minRows={3}
        maxRows={14}
        value={text}
        error={
          text.length > limits.commentLength.value
            ? `At most ${limits.commentLength.value.toLocaleString('en-US')} characters.`
            : undefined
        }
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
        }}
      />
      <FormError message={creating.error?.message} />
      <div>
        <Button type="submit" disabled={!isReady} loading={creating.isPending}>
          Send
        </Button>
      </div>
    </form>
  )
}
