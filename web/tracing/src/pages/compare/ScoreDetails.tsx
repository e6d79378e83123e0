import type { EvaluationResult } from '@assay/contract/evaluations.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { Link } from '@tanstack/react-router'
import { reasonOf } from '../../evaluation/score-format.ts'
import { useProject } from '../../shell/use-project.ts'
import styles from './compare.module.css'
import { GapExplanation } from './GapExplanation.tsx'
import { labelTraces } from './label-traces.ts'
import { isDifferent, isScoredPair, type ResultPair } from './pair-results.ts'

interface Props {
  readonly pair: ResultPair
  readonly a: Trace
  readonly b: Trace
}

/** The reasons of both results, and why they differ. */
export function ScoreDetails({ pair, a, b }: Props) {
  const { can } = useProject()
  const canExplain = can('run_agents') || can('manage_agents')
  return (
    <div className={styles.details}>
      <div className={styles.reasons}>
        <Reason side="A" trace={a} result={pair.a} />
        <Reason side="B" trace={b} result={pair.b} />
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
}

function Reason({ side, trace, result }: ReasonProps) {
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
        {result === undefined ? 'No result of this evaluator.' : reasonOf(result)}
      </p>
    </section>
  )
}
