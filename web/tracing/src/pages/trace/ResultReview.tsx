import type { EvaluationResult } from '@assay/contract/evaluations.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { useSingleFlight } from '@assay/ui/use-single-flight.ts'
import { Button } from '@mantine/core'
import { usePutScore } from '../../api/scores.ts'
import styles from './evaluations.module.css'
import { PersonScore } from './PersonScore.tsx'
import { toVerdictBody } from './score-values.ts'
import type { PeopleScores } from './use-people-scores.ts'

interface Props {
  readonly result: EvaluationResult
  readonly people: PeopleScores
}

/** What people think of the result of an evaluator. */
export function ResultReview({ result, people }: Props) {
  const { evaluator_id: evaluatorId, evaluator_name: name } = result
  const given = people.scores.filter((score) => score.evaluator_id === evaluatorId)
  const own = given.find(people.isOwn)
  const putting = usePutScore(people.projectId, people.traceId)
  const put = useSingleFlight(putting)
  const passed = putting.isPending ? putting.variables.passed : own?.passed
  const canReview = people.canScore && people.query.isSuccess && result.status === 'scored'
  if (!canReview && given.length === 0) return null
  return (
    <div className={styles.review}>
      {canReview && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line
        <div role="group" aria-label={`Do you agree with ${name}?`} className={styles.verdicts}>
          <span className="dimmed">Do you agree? Your verdict:</span>
          <Button.Group>
            {[true, false].map((verdict) => (
              <Button
                key={String(verdict)}
                size="compact-xs"
                variant={passed === verdict ? 'filled' : 'default'}
                aria-pressed={passed === verdict}
                onClick={() => put(toVerdictBody(verdict, { evaluatorId, name, score: own }))}
              >
                {verdict ? 'Pass' : 'Fail'}
              </Button>
            ))}
          </Button.Group>
        </div>
      )}
      <FormError message={putting.error?.message} />
      {given.length > 0 && (
        <ul className={styles.people} aria-label={`Scores of people for ${name}`}>
          {given.map((score) => (
            <PersonScore
              key={`${score.author_id} ${score.id}`}
              score={score}
              isOwn={people.isOwn(score)}
              {...people.actionsOf(score)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
