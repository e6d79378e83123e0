import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import type { SearchChange } from '@assay/account/routes/search-params.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import type { CostRun } from '@assay/contract/cost-runs.ts'
import type { Candidate, Recommendation } from '@assay/contract/recommendations.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { IconScale } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { recommendationQuery } from '../../api/recommendation.ts'
import page from '../../page/page.module.css'
import { useProject } from '../../shell/use-project.ts'
import styles from './cost-calculator.module.css'
import { type ComparedModels, compareModels, toModelResults } from './model-results.ts'
import { ParetoChart } from './ParetoChart.tsx'
import { RecommendationControls } from './RecommendationControls.tsx'
import { readSettings } from './recommendation-settings.ts'
import type { RunSearch } from './run-search.ts'

interface Props {
  readonly run: CostRun
  readonly search: RunSearch
  readonly onSearch: (change: SearchChange<RunSearch>) => void
}

/** Which model of a run to choose, and why. */
export function RecommendationView(props: Props) {
  const { organization } = useProject()
  const { data: configs, error, refetch } = useQuery(modelConfigsQuery(organization.id))
  const { run } = props
  const compared = useMemo(
    () => configs && compareModels(toModelResults(run, configs)),
    [run, configs],
  )
  if (compared === undefined) return <Waiting error={error} onRetry={() => void refetch()} />
  if (compared.candidates.length < 2) return <NothingToCompare compared={compared} />
  return <Comparison {...props} compared={compared} />
}

interface ComparisonProps extends Props {
  readonly compared: ComparedModels
}

function Comparison({ search, onSearch, compared }: ComparisonProps) {
  const { project } = useProject()
  const { candidates } = compared
  const settings = readSettings(search)
  const { data, error, refetch } = useQuery({
    ...recommendationQuery(project.id, { candidates: [...candidates], ...settings }),
    enabled: settings !== undefined,
  })
  const recommendation = settings === undefined ? undefined : data
  if (settings !== undefined && data === undefined) {
    return <Waiting error={error} onRetry={() => void refetch()} />
  }
  return (
    <div className={styles.agent}>
      <FormError message={error?.message} />
      {recommendation !== undefined && (
        <Verdict projectId={project.id} compared={compared} recommendation={recommendation} />
      )}
      <RecommendationControls search={search} onSearch={onSearch} />
      {recommendation !== undefined && (
        <Ranking candidates={candidates} ranking={recommendation.ranking} />
      )}
    </div>
  )
}

interface WaitingProps {
  readonly error: Error | null
  readonly onRetry: () => void
}

function Waiting({ error, onRetry }: WaitingProps) {
  if (error === null) return <TableSkeleton rows={5} />
  return <RequestProblem error={error} onRetry={onRetry} />
}

function NothingToCompare({ compared: { failedModels } }: { readonly compared: ComparedModels }) {
  return (
    <EmptyState icon={<IconScale size={20} stroke={1.75} />} title="Nothing to compare yet">
      {failedModels.length > 0 &&
        `All conversations failed with ${list.format(failedModels)}; the reasons are under Results. `}
      Run the same scenarios with at least two models first.
    </EmptyState>
  )
}

const verdicts: Readonly<Record<Recommendation['verdict'], (label: string) => string>> = {
  recommended: (label) => `Use ${label}`,
  tie: (label) => `A tie; ${label} costs least`,
  insufficient_evidence: () => 'Not enough evidence',
}

interface VerdictProps {
  readonly projectId: string
  readonly compared: ComparedModels
  readonly recommendation: Recommendation
}

function Verdict({ projectId, compared, recommendation }: VerdictProps) {
  const { verdict, recommended, confidence, explanation, unpriced, ranking } = recommendation
  const isBeyond = ranking.length > 0 && !ranking.some((one) => one.meets_constraints)
  return (
    <section className={page.box} aria-label="Recommendation" aria-live="polite">
      <h2 className={page.heading}>
        {isBeyond ? 'No model is within the limits' : verdicts[verdict](recommended ?? '')}
      </h2>
      <p className={styles.explanation}>{explanation}</p>
      <p className={page.note}>
        Confidence: {confidence}. {describeComparison(compared)}
      </p>
      {unpriced.length > 0 && (
        <p className={page.note}>
          Without a price: {list.format(unpriced)}.{' '}
          <Link to="/p/$projectId/prices/custom" params={{ projectId }}>
            Prices
          </Link>
        </p>
      )}
    </section>
  )
}

/** What is compared, and what is left out. */
function describeComparison(compared: ComparedModels): string {
  const { scenarioCount, scoredCount, failedCount, failedModels } = compared
  const sentences = [
    `Compared by ${countOf(scenarioCount, 'scenario')} that all models have run.`,
    ...(scoredCount === 0
      ? [
          'The results have no scores. To compare quality, score them with a collection of evaluators under Results.',
        ]
      : scoredCount < scenarioCount
        ? [`Quality is compared by the ${scoredCount} of them that have a score with all models.`]
        : []),
    ...(failedCount === 0
      ? []
      : [
          `${countOf(failedCount, 'scenario')} that failed with a model ${failedCount === 1 ? 'is' : 'are'} left out.`,
        ]),
    ...(failedModels.length === 0
      ? []
      : [`All conversations failed with ${list.format(failedModels)}.`]),
  ]
  return sentences.join(' ')
}

const list = new Intl.ListFormat('en')

interface RankingProps {
  readonly candidates: readonly Candidate[]
  readonly ranking: Recommendation['ranking']
}

function Ranking({ candidates, ranking }: RankingProps) {
  return (
    <>
      <ParetoChart candidates={candidates} ranks={ranking.map(({ label }) => label)} />
      <ol className={styles.ranking} aria-label="Ranking">
        {ranking.map(({ label, reasons, meets_constraints: isAllowed }) => (
          <li key={label}>
            <strong>{label}</strong>
            {!isAllowed && <span className={styles.warning}> Over a limit.</span>}
            <ul>
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </>
  )
}
