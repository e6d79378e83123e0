import type { EvaluationResult } from '@assay/contract/evaluations.ts'
import type { Score } from '@assay/contract/scores.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { Link } from '@tanstack/react-router'
import { outcomes, reasonOf } from '../../evaluation/score-format.ts'
import { useProject } from '../../shell/use-project.ts'
import styles from './compare.module.css'
import { GapExplanation } from './GapExplanation.tsx'
import { labelTraces } from './label-traces.ts'
import { isDifferent, isScoredPair, type ResultPair } from './pair-results.ts'
import { peopleOf } from './people-verdicts.ts'

interface Props {
  readonly pair: ResultPair
  readonly a: Trace
  readonly b: Trace
  readonly peopleA: readonly Score[]
  readonly peopleB: readonly Score[]
}

/** The reasons of both results, and why they differ. */
export function ScoreDetails({ pair, a, b, peopleA, peopleB }: Props) {
  const { can } = useProject()
  const canExplain = can('run_agents') || can('manage_agents')
  return (
    <div className={styles.details}>
      <div className={styles.reasons}>
        <Reason side="A" trace={a} result={pair.a} people={peopleOf(peopleA, pair.evaluatorId)} />
        <Reason side="B" trace={b} result={pair.b} people={peopleOf(peopleB, pair.evaluatorId)} />
      </div>
      {canExplain && isScoredPair(pair) && isDifferent(pair) && (
        <GapExplanation
          key={`${pair.a.id} ${pair.b.id}`}
          projectId={a.project_id}
          gap={{ a: pair.a, b: pair.b, labels: labelTraces(a, b) }}
        />
      )}
    </div>
  )
}

interface ReasonProps {
  readonly side: string
  readonly trace: Trace
  readonly result: EvaluationResult | undefined
  readonly people: readonly Score[]
}

function Reason({ side, trace, result, people }: ReasonProps) {
  return (
    <section aria-label={`Reason for ${side}`}>
      <p className={styles.reasonHead}>
        <span className={styles.side}>{side}</span>{' '}
        <Link
          to="/p/$projectId/traces/$traceId"
          params={{ projectId: trace.project_id, traceId: trace.trace_id }}
          search={{ view: 'evaluations' }}
        >
          Evaluations of {side}
        </Link>{' '}
        {result !== undefined && (
          <span className="dimmed">
            <TimeText at={result.created_at} />
          </span>
        )}
      </p>
      <p className={styles.reason}>
        {result === undefined ? 'No result from this evaluator.' : reasonOf(result)}
      </p>
      {people.map((score) => (
        <p key={`${score.author_id} ${score.id}`} className={styles.reason}>
          <strong>{score.passed ? outcomes.passed : outcomes.failed}</strong>{' '}
          <span className="dimmed">by {score.author_name ?? 'Former member'}</span>{' '}
          {score.reasoning}
        </p>
      ))}
    </section>
  )
}
