import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { Continuation } from '@assay/ui/table/Continuation.tsx'
import { Button } from '@mantine/core'
import { IconPencilCheck } from '@tabler/icons-react'
import { useRemoveScore } from '../../api/scores.ts'
import styles from './evaluations.module.css'
import { PersonScore } from './PersonScore.tsx'
import { ScoreDialog } from './ScoreDialog.tsx'
import type { PeopleScores } from './use-people-scores.ts'

interface Props {
  readonly people: PeopleScores
  /** The evaluators with a result below: their scores are listed with it. */
  readonly reviewed: ReadonlySet<string>
}

/** The scores that people gave under names of their own, and a new one. */
export function NamedScores({ people, reviewed }: Props) {
  const { projectId, traceId, query, editing, removing, canScore } = people
  const scores = people.scores.filter(({ evaluator_id: id }) => id === null || !reviewed.has(id))
  return (
    <section className={styles.named} aria-label="Scores of people">
      {canScore && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPencilCheck size={14} />}
          onClick={() => editing.open({ evaluatorId: null, name: '' })}
        >
          Score this trace yourself
        </Button>
      )}
      <FormError message={query.isLoadingError ? query.error.message : undefined} />
      {scores.length > 0 && (
        <ul className={styles.people}>
          {scores.map((score) => (
            <PersonScore
              key={`${score.author_id} ${score.id}`}
              score={score}
              name={score.name}
              isOwn={people.isOwn(score)}
              {...people.actionsOf(score)}
            />
          ))}
        </ul>
      )}
      <Continuation query={query} />
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
