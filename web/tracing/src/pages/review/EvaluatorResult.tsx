import { useQuery } from '@tanstack/react-query'
import { evaluationRunsQuery } from '../../api/evaluations.ts'
import { formatScore, outcomeOf, outcomes, reasonOf } from '../../evaluation/score-format.ts'
import { CodeText } from '../../parts/CodeText.tsx'
import { useProject } from '../../shell/use-project.ts'
import styles from './review.module.css'

interface Props {
  readonly evaluatorId: string
  readonly traceId: string
}

/** What the evaluator of the queue found. Closed, so that it does not influence the reviewer. */
export function EvaluatorResult({ evaluatorId, traceId }: Props) {
  const { project } = useProject()
  const { data: runs = [] } = useQuery(evaluationRunsQuery(project.id, traceId))
  const result = runs
    .flatMap(({ results }) => results)
    .find(({ evaluator_id }) => evaluator_id === evaluatorId)
  if (result === undefined) return null
  return (
    <details className={styles.result}>
      <summary>Result of the evaluator</summary>
      <p>
        <strong>{outcomes[outcomeOf(result)]}</strong>{' '}
        {result.status === 'scored' && formatScore(result.score)}
      </p>
      <p>
        <CodeText text={reasonOf(result)} />
      </p>
    </details>
  )
}
