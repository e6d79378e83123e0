import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { formatCount, unknown } from '@assay/ui/number-format.ts'
import type { Column } from '@assay/ui/table/table-model.ts'
import { IconScale } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { evaluatorsQuery } from '../../api/evaluators.ts'
import { type EvaluatorAgreement, scoreAgreementQuery } from '../../api/scores.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { TwoLines } from '../../page/TwoLines.tsx'
import { useProject } from '../../shell/use-project.ts'
import { describeAgreement, formatKappa, ratedTracesMin } from './agreement-reading.ts'
import { IncompleteNote } from './IncompleteNote.tsx'
import { formatRate } from './score-totals.ts'

const route = getRouteApi('/signed-in/p/$projectId/scores/agreement')

/** How far each evaluator agrees with people. */
export function AgreementPage() {
  const { projectId } = route.useParams()
  useTitle('Agreement')
  const { organization } = useProject()
  const agreement = useQuery(scoreAgreementQuery(projectId))
  const { data: evaluators } = useQuery(evaluatorsQuery(organization.id))
  const originOf = (id: string) => {
    if (evaluators === undefined) return ''
    const found = evaluators.find((one) => one.id === id)
    if (found === undefined) return 'Deleted'
    return found.is_default ? 'Built in' : 'Custom evaluator'
  }
  return (
    <ListPage
      title="Agreement"
      lead={`How often evaluators and people agree whether a trace passes. Counts traces that people scored in the last 30 days. Kappa is the agreement beyond chance; with fewer than ${ratedTracesMin} traces it is not rated.`}
      note={<IncompleteNote completeFrom={agreement.data?.complete_from} />}
      isWide
      rows={{ ...agreement, data: agreement.data?.evaluators }}
      noun={['evaluator', 'evaluators']}
      columns={columnsFor(projectId, originOf)}
      rowKey={({ evaluator_id }) => evaluator_id}
      rowName={({ name }) => name}
      empty={{
        Icon: IconScale,
        title: 'Nothing to compare yet',
        text: 'Open the Evaluations tab of a trace with results, and choose Pass or Fail beside a result.',
        action: (
          <LinkButton
            to="/p/$projectId/traces"
            params={{ projectId }}
            search={{ has_score: 'true', mode: 'all' }}
          >
            Open traces with scores
          </LinkButton>
        ),
      }}
    />
  )
}

function columnsFor(
  projectId: string,
  originOf: (evaluatorId: string) => string,
): readonly Column<EvaluatorAgreement>[] {
  return [
    {
      ...{ key: 'name', header: 'Evaluator', sortValue: ({ name }) => name },
      cell: ({ name, evaluator_id: evaluatorId }) => (
        <TwoLines below={originOf(evaluatorId)}>
          <Link
            to="/p/$projectId/scores/agreement/$evaluatorId"
            params={{ projectId, evaluatorId }}
          >
            {name}
          </Link>
        </TwoLines>
      ),
    },
    {
      ...{ key: 'traces', header: 'Traces', align: 'end', sortValue: ({ traces }) => traces },
      cell: ({ traces }) => formatCount(traces),
    },
    {
      ...{ key: 'rate', header: 'Agreement', align: 'end' },
      sortValue: ({ agreement }) => agreement,
      cell: ({ agreement }) => (agreement === null ? unknown : formatRate(agreement)),
    },
    {
      ...{ key: 'kappa', header: 'Kappa', hint: 'Agreement beyond chance', width: 190 },
      sortValue: ({ kappa }) => kappa,
      cell: (row) => (
        <TwoLines below={describeAgreement(row)}>
          {row.kappa === null ? unknown : formatKappa(row.kappa)}
        </TwoLines>
      ),
    },
    {
      ...{ key: 'passes', header: 'False passes', align: 'end' },
      ...{ hint: 'The evaluator passed the trace, people failed it' },
      sortValue: ({ false_passes: count }) => count,
      cell: ({ false_passes: count }) => formatCount(count),
    },
    {
      ...{ key: 'fails', header: 'False fails', align: 'end' },
      ...{ hint: 'The evaluator failed the trace, people passed it' },
      sortValue: ({ false_fails: count }) => count,
      cell: ({ false_fails: count }) => formatCount(count),
    },
    {
      ...{ key: 'ties', header: 'Ties', align: 'end' },
      hint: 'As many people passed the trace as failed it: does not count',
      cell: ({ name, ties, evaluator_id: evaluatorId }) =>
        ties === 0 ? (
          '0'
        ) : (
          <Link
            to="/p/$projectId/scores/agreement/$evaluatorId"
            params={{ projectId, evaluatorId }}
            search={{ kind: 'tie' }}
            aria-label={`Ties of ${name}: ${formatCount(ties)}`}
          >
            {formatCount(ties)}
          </Link>
        ),
    },
  ]
}
