import type { CostRun } from '@assay/contract/cost-runs.ts'
import type { Candidate, Recommendation } from '@assay/contract/recommendations.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { IconScale } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { modelConfigsQuery } from '../../api/model-configs.ts'
import { recommendationQuery } from '../../api/recommendation.ts'
import page from '../../page/page.module.css'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useProject } from '../../shell/use-project.ts'
import styles from './cost-calculator.module.css'
import { toCandidates, toModelResults } from './model-results.ts'
import { ParetoChart } from './ParetoChart.tsx'

/** Which model of a run to choose, and why. */
export function RecommendationView({ run }: { readonly run: CostRun }) {
  const { organization, project } = useProject()
  const { data: configs } = useQuery(modelConfigsQuery(organization.id))
  const candidates = useMemo(() => toCandidates(toModelResults(run, configs ?? [])), [run, configs])
  const { data, error, refetch } = useQuery({
    ...recommendationQuery(project.id, candidates),
    enabled: candidates.length > 1,
  })
  if (candidates.length < 2) {
    return (
      <EmptyState icon={<IconScale size={20} stroke={1.75} />} title="Nothing to compare yet">
        Run the scenarios with at least two models first.
      </EmptyState>
    )
  }
  if (data === undefined) {
    if (error === null) return <TableSkeleton rows={5} />
    return <RequestProblem error={error} onRetry={() => void refetch()} />
  }
  return <Verdict candidates={candidates} recommendation={data} />
}

const verdicts: Readonly<Record<Recommendation['verdict'], (label: string) => string>> = {
  recommended: (label) => `Use ${label}`,
  tie: (label) => `A tie; ${label} costs least`,
  insufficient_evidence: () => 'Not enough evidence',
}

interface VerdictProps {
  readonly candidates: readonly Candidate[]
  readonly recommendation: Recommendation
}

function Verdict({ candidates, recommendation }: VerdictProps) {
  const { verdict, recommended, confidence, explanation, ranking } = recommendation
  const samples = candidates[0]?.scores?.length
  return (
    <div className={styles.agent}>
      <section className={page.box} aria-label="Recommendation">
        <h2 className={page.heading}>{verdicts[verdict](recommended ?? '')}</h2>
        <p className={styles.explanation}>{explanation}</p>
        <p className={page.note}>
          Confidence: {confidence}.{' '}
          {samples === undefined
            ? 'The results have no scores: run with a collection of evaluators to compare quality.'
            : `Compared by ${samples} scenarios that all models have run.`}
        </p>
      </section>
      <ParetoChart candidates={candidates} ranking={ranking} />
      <ol className={styles.ranking} aria-label="Ranking">
        {ranking.map(({ label, reasons, meets_constraints: isAllowed }) => (
          <li key={label}>
            <strong>{label}</strong>
            {!isAllowed && <span className={styles.warning}> Does not meet the constraints.</span>}
            <ul>
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  )
}
