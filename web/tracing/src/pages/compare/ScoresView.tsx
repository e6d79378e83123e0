import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import type { EvaluationResult } from '@assay/contract/evaluations.ts'
import type { Score } from '@assay/contract/scores.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { IconChecklist } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { evaluationRunsQuery } from '../../api/evaluations.ts'
import { peopleScoresQuery } from '../../api/scores.ts'
import { formatScore, outcomeOf, outcomes } from '../../evaluation/score-format.ts'
import { TwoLines } from '../../page/TwoLines.tsx'
import styles from './compare.module.css'
import { isScored, isScoredPair, pairResults, type ResultPair } from './pair-results.ts'
import { summarizePeople } from './people-verdicts.ts'
import { ScoreDetails } from './ScoreDetails.tsx'

interface Props {
  readonly a: Trace
  readonly b: Trace
  /** The id of the evaluator whose row is open. */
  readonly open: string | undefined
  readonly onToggle: (evaluatorId: string) => void
}

/** The latest scores of both traces by evaluator. */
export function ScoresView({ a, b, open, onToggle }: Props) {
  const ofA = useQuery(evaluationRunsQuery(a.project_id, a.trace_id))
  const ofB = useQuery(evaluationRunsQuery(b.project_id, b.trace_id))
  const { data: peopleA = [] } = useInfiniteQuery(peopleScoresQuery(a.project_id, a.trace_id))
  const { data: peopleB = [] } = useInfiniteQuery(peopleScoresQuery(b.project_id, b.trace_id))
  const columns = useMemo(() => columnsFor(peopleA, peopleB), [peopleA, peopleB])
  const pairs = useMemo(
    () => ofA.data && ofB.data && pairResults(ofA.data, ofB.data),
    [ofA.data, ofB.data],
  )
  const failed = [ofA, ofB].find(({ isLoadingError }) => isLoadingError)
  if (failed?.error) {
    return (
      <>
        <p className={styles.missing}>
          Could not load the scores of trace {failed === ofA ? 'A' : 'B'}
        </p>
        <RequestProblem error={failed.error} onRetry={() => void failed.refetch()} />
      </>
    )
  }
  if (pairs === undefined) return <TableSkeleton rows={6} />
  const links = <EvaluationLinks traces={[a, b]} />
  if (pairs.length === 0) {
    return (
      <EmptyState icon={<IconChecklist size={20} />} title="No scores to compare" actions={links}>
        {ofA.data?.length === 0 && ofB.data?.length === 0
          ? 'Neither trace has been evaluated.'
          : 'No evaluator has scored these traces.'}{' '}
        {howToCompare}
      </EmptyState>
    )
  }
  const hasPair = pairs.some(isScoredPair)
  return (
    <div className={styles.scores}>
      <p className={styles.note}>
        {hasPair
          ? 'The latest result of each evaluator, from the five most recent evaluations of each trace.'
          : `No evaluator has scored both traces. ${howToCompare}`}
      </p>
      {!hasPair && <div className={styles.line}>{links}</div>}
      <DataTable
        caption="Scores of both traces"
        rows={pairs}
        columns={columns}
        rowKey={({ evaluatorId }) => evaluatorId}
        rowName={({ name }) => name}
        isRowClickable
        details={{
          isOpen: ({ evaluatorId }) => evaluatorId === open,
          onToggle: ({ evaluatorId }) => onToggle(evaluatorId),
          render: (pair) => (
            <ScoreDetails pair={pair} a={a} b={b} peopleA={peopleA} peopleB={peopleB} />
          ),
        }}
      />
    </div>
  )
}

const howToCompare = 'Evaluate both with the same collection to compare their scores.'

function EvaluationLinks({ traces }: { readonly traces: readonly Trace[] }) {
  return traces.map((trace, at) => (
    <LinkButton
      // A trace can be compared with itself.
      key={at}
      to="/p/$projectId/traces/$traceId"
      params={{ projectId: trace.project_id, traceId: trace.trace_id }}
      search={{ view: 'evaluations' }}
      variant="default"
      size="xs"
    >
      Evaluations of {at === 0 ? 'A' : 'B'}
    </LinkButton>
  ))
}

function columnsFor(
  peopleA: readonly Score[],
  peopleB: readonly Score[],
): readonly Column<ResultPair>[] {
  const cell = (
    pair: ResultPair,
    result: EvaluationResult | undefined,
    people: readonly Score[],
  ) => (
    <TwoLines below={summarizePeople(people, pair.evaluatorId)}>
      <ResultCell result={result} />
    </TwoLines>
  )
  return [
    { key: 'evaluator', header: 'Evaluator', cell: ({ name }) => name },
    { key: 'a', header: 'A', cell: (pair) => cell(pair, pair.a, peopleA) },
    { key: 'b', header: 'B', cell: (pair) => cell(pair, pair.b, peopleB) },
    { key: 'difference', header: 'Difference', hint: 'From A to B', align: 'end', cell: GapCell },
  ]
}

function ResultCell({ result }: { readonly result: EvaluationResult | undefined }) {
  if (result === undefined) return <span className="dimmed">Not evaluated</span>
  const outcome = outcomes[outcomeOf(result)]
  if (!isScored(result)) return <span className="dimmed">{outcome}</span>
  return (
    <span className={styles.result}>
      <span className="number">{formatScore(result.score)}</span>
      <StatusMark isError={!result.passed} word={outcome} />
    </span>
  )
}

function GapCell(pair: ResultPair) {
  if (!isScoredPair(pair)) {
    return <span className="dimmed">Only {isScored(pair.a) ? 'A' : 'B'} scored</span>
  }
  const difference = pair.b.score - pair.a.score
  if (difference === 0) return <span className="dimmed">same</span>
  const isMore = difference > 0
  const size = Math.abs(difference)
  return (
    <span className={styles.delta} data-mood={isMore ? 'better' : 'worse'}>
      {isMore ? '+' : '−'}
      {size < 0.01 ? size.toPrecision(1) : size.toFixed(2)}
    </span>
  )
}
