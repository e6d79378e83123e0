import type { Score } from '@assay/contract/scores.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { Continuation } from '@assay/ui/table/Continuation.tsx'
import { Button } from '@mantine/core'
import { IconPencilCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useRemoveScore } from '../../api/scores.ts'
import styles from './evaluations.module.css'
import { PersonScore } from './PersonScore.tsx'
import { ScoreDialog } from './ScoreDialog.tsx'
import type { PeopleScores } from './use-people-scores.ts'

interface Props {
  readonly people: PeopleScores
  /** Those to list. */
  readonly scores: readonly Score[]
  /** What a new score is of; the whole trace when omitted. */
  readonly spanId?: string
  /** What the scores of spans belong to. Omitted where all are of one span. */
  readonly renderSpan?: (spanId: string) => ReactNode
}

/** The scores that people gave under names of their own, and a new one. */
export function NamedScores({ people, scores, spanId, renderSpan }: Props) {
  const { projectId, traceId, query, editing, removing, canScore } = people
  return (
    <section
      className={styles.named}
      aria-label={spanId === undefined ? 'Scores of people' : 'Scores of this span'}
    >
      <FormError message={query.isLoadingError ? query.error.message : undefined} />
      {scores.length > 0 && (
        <ul className={styles.people}>
          {scores.map((score) => (
            <PersonScore
              key={`${score.author_id} ${score.id}`}
              score={score}
              name={score.name}
              of={score.span_id === null ? undefined : renderSpan?.(score.span_id)}
              isOwn={people.isOwn(score)}
              {...people.actionsOf(score)}
            />
          ))}
        </ul>
      )}
      {scores.length === 0 && query.isSuccess && <p className={styles.none}>No scores yet.</p>}
      <Continuation query={query} />
      {canScore && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPencilCheck size={14} />}
          onClick={() =>
            editing.open({
              ...{ evaluatorId: null, name: '' },
              ...(spanId !== undefined && { spanId }),
            })
          }
        >
          {spanId === undefined ? 'Score this trace' : 'Score this span'}
        </Button>
      )}
      <ScoreDialog projectId={projectId} traceId={traceId} dialog={editing} />
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveScore(projectId, traceId)}
        variables={({ id }) => id}
        title="Remove your score?"
        confirmLabel="Remove score"
      >
        {({ name, reasoning }) => (
          <p>
            Your score for <strong>{name}</strong>
            {reasoning !== '' && ' and its reason'} will be deleted.
          </p>
        )}
      </ConfirmDialog>
    </section>
  )
}
