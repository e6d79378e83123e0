import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { useTitle } from '@assay/account/shell/use-title.ts'
import type { DisagreementKind } from '@assay/contract/score-agreement.ts'
import type { Score } from '@assay/contract/scores.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { SegmentedControl } from '@mantine/core'
import { IconScale } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type Disagreement, disagreementsQuery, scoreAgreementQuery } from '../../api/scores.ts'
import { reasonOf } from '../../evaluation/score-format.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CodeText } from '../../parts/CodeText.tsx'
import { TraceExcerpt } from '../../parts/TraceExcerpt.tsx'
import styles from './scores.module.css'

const route = getRouteApi('/signed-in/p/$projectId/scores/agreement/$evaluatorId')

/** The traces on which an evaluator and people disagree, or people among themselves. */
export function DisagreementsPage() {
  const { projectId, evaluatorId } = route.useParams()
  useTitle('Disagreements')
  const { kind = 'majority' } = usePageSearch(route)
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(disagreementsQuery(projectId, evaluatorId, kind))
  const agreement = useQuery(scoreAgreementQuery(projectId))
  const known = agreement.data?.evaluators.find((one) => one.evaluator_id === evaluatorId)
  const name = known?.name ?? list.data?.[0]?.evaluator.name ?? 'the evaluator'
  return (
    <ListPage
      title="Disagreements"
      lead={`${leadOf(kind, name)} The trace that a person scored last comes first.`}
      filters={
        <SegmentedControl
          aria-label="Kind"
          className={styles.kind ?? ''}
          data={[
            { value: 'majority', label: 'With the evaluator' },
            { value: 'tie', label: 'Ties' },
          ]}
          value={kind}
          onChange={(value) =>
            void navigate({ search: value === 'tie' ? { kind: value } : {}, replace: true })
          }
        />
      }
      isWide
      rows={list}
      noun={['trace', 'traces']}
      columns={columnsFor(projectId)}
      rowKey={({ trace }) => trace.trace_id}
      rowName={({ trace }) => trace.root_name}
      empty={{
        Icon: IconScale,
        title: kind === 'tie' ? 'No ties' : 'No disagreements',
        text:
          kind === 'tie'
            ? 'In the last 30 days, no trace was passed by as many people as failed it.'
            : `In the last 30 days, no majority of people gave a trace another verdict than “${name}”.`,
        action: (
          <LinkButton to="/p/$projectId/scores/agreement" params={{ projectId }} variant="default">
            All evaluators
          </LinkButton>
        ),
      }}
    />
  )
}

function leadOf(kind: DisagreementKind, name: string): string {
  return kind === 'tie'
    ? `Traces with a result of “${name}” that as many people passed as failed, over the last 30 days.`
    : `Traces on which “${name}” and the majority of people disagree, over the last 30 days.`
}

function columnsFor(projectId: string): readonly Column<Disagreement>[] {
  return [
    {
      ...{ key: 'trace', header: 'Trace', width: '26%' },
      cell: ({ trace }) => (
        <TwoLines below={<TimeText at={trace.started_at} withAge />}>
          <Link
            to="/p/$projectId/traces/$traceId"
            params={{ projectId, traceId: trace.trace_id }}
            search={{ view: 'evaluations' }}
          >
            {trace.root_name === '' ? trace.trace_id : trace.root_name}
          </Link>
          <TraceExcerpt projectId={projectId} traceId={trace.trace_id} />
        </TwoLines>
      ),
    },
    {
      ...{ key: 'evaluator', header: 'Evaluator', width: '37%' },
      cell: ({ evaluator }) => <Verdict score={evaluator} />,
    },
    {
      ...{ key: 'people', header: 'People', width: '37%' },
      cell: ({ people, people_passed: passed, people_failed: failed }) => (
        <ul className={styles.people}>
          {people.map((score) => (
            <li key={`${score.author_id} ${score.id}`}>
              <Verdict
                score={score}
                by={score.author_name ?? 'Former member'}
                at={score.created_at}
              />
            </li>
          ))}
          {people.length < passed + failed && (
            <li className="dimmed">
              In all, {passed} passed and {failed} failed it.
            </li>
          )}
        </ul>
      ),
    },
  ]
}

interface VerdictProps {
  readonly score: Score
  readonly by?: string
  readonly at?: string
}

function Verdict({ score, by, at }: VerdictProps) {
  return (
    <>
      <strong>{score.passed ? 'Passed' : 'Failed'}</strong>
      {by !== undefined && <span className="dimmed"> by {by}</span>}
      {at !== undefined && (
        <span className="dimmed">
          , <TimeText at={at} />
        </span>
      )}
      {score.reasoning !== '' && (
        <p className={styles.reason}>
          <CodeText text={reasonOf(score)} />
        </p>
      )}
    </>
  )
}
