import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { limits } from '@assay/contract/limits.ts'
import type { TraceRun } from '@assay/contract/trace-runs.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { traceRunsQuery } from '../../api/trace-runs.ts'
import { ListPage } from '../../page/ListPage.tsx'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CostText } from '../../parts/CostText.tsx'
import styles from './cost-calculator.module.css'
import { Extraction } from './Extraction.tsx'
import { type ImportSearch, selectedRuns } from './import-search.ts'
import { withSimilarRuns } from './similar-runs.ts'

const route = getRouteApi('/signed-in/p/$projectId/cost-calculator/import')
const max = limits.extractedRuns.value

/** Imports an agent and its volumes from recorded runs. */
export function ImportPage() {
  const { projectId } = route.useParams()
  const search = usePageSearch(route)
  const selected = selectedRuns(search)
  const isRead = search.extract !== undefined && selected.length > 0
  const View = isRead ? Extraction : RunChoice
  return <View projectId={projectId} traceIds={selected} search={search} />
}

interface Props {
  readonly projectId: string
  readonly traceIds: readonly string[]
  readonly search: ImportSearch
}

function RunChoice({ projectId, traceIds: selected, search }: Props) {
  const navigate = route.useNavigate()
  const rows = useQuery(traceRunsQuery(projectId))
  const similar = withSimilarRuns(rows.data ?? [], selected)
  const select = (change: (before: readonly string[]) => readonly string[]) =>
    void navigate({
      search: (before) => {
        const ids = change(selectedRuns(before))
        return ids.length === 0 ? {} : { runs: ids.join(',') }
      },
      replace: true,
    })
  return (
    <ListPage
      title="Import from recorded runs"
      lead={`Select up to ${max} runs of one agent. Its prompt and tools, and how many calls and tokens a run takes, then calibrate the estimate. Ten runs of different tasks are enough.`}
      filters={
        <div className={styles.selection}>
          <span role="status">{countOf(selected.length, 'run')} selected</span>
          {selected.length > max && <span className={styles.warning}>Select at most {max}.</span>}
          <LinkButton
            to="/p/$projectId/cost-calculator/import"
            params={{ projectId }}
            search={{ ...search, extract: '1' }}
            disabled={selected.length === 0 || selected.length > max}
          >
            Read these runs
          </LinkButton>
          {similar.length > selected.length && (
            <Button variant="default" onClick={() => select(() => similar)}>
              Select {formatCount(similar.length - selected.length)} more of this agent
            </Button>
          )}
          {selected.length > 0 && (
            <Button variant="default" onClick={() => select(() => [])}>
              Clear selection
            </Button>
          )}
        </div>
      }
      isWide
      rows={rows}
      noun={['recorded run', 'recorded runs']}
      countNote=", the newest that arrived over OTLP"
      columns={columns(projectId)}
      rowKey={({ traceId }) => traceId}
      rowName={({ rootName, traceId }) => rootName || traceId}
      selection={{
        isSelected: ({ traceId }) => selected.includes(traceId),
        onToggle: ({ traceId }) =>
          select((before) =>
            before.includes(traceId) ? before.filter((id) => id !== traceId) : [...before, traceId],
          ),
      }}
      empty={{
        Icon: IconFileImport,
        title: 'No recorded runs',
        text: 'Traces that arrive over OTLP can be imported. Send some, or enter the agent by hand.',
        action: (
          <>
            <LinkButton to="/p/$projectId/send" params={{ projectId }}>
              Send traces
            </LinkButton>
            <LinkButton
              variant="default"
              to="/p/$projectId/cost-calculator/agent"
              params={{ projectId }}
            >
              Enter an agent
            </LinkButton>
          </>
        ),
      }}
    />
  )
}

const columns = (projectId: string): readonly Column<TraceRun>[] => [
  {
    ...{ key: 'name', header: 'Run', width: 260 },
    cell: ({ rootName, traceId, service, environment }) => (
      <TwoLines below={[service ?? [], environment ?? []].flat().join(', ')}>
        <Link
          to="/p/$projectId/traces/$traceId"
          params={{ projectId, traceId }}
          className={page.link}
        >
          {rootName || traceId}
        </Link>
      </TwoLines>
    ),
  },
  {
    ...{ key: 'status', header: 'Status', width: 90 },
    cell: ({ status }) => <StatusMark isError={status === 'ERROR'} word={status} />,
  },
  {
    ...{ key: 'started', header: 'Started', width: 130 },
    cell: ({ startedAt }) => <TimeText at={startedAt} />,
    sortValue: ({ startedAt }) => startedAt,
  },
  count('Model calls', ({ llmCallCount }) => llmCallCount),
  count('Tool calls', ({ toolCallCount }) => toolCallCount),
  {
    ...{ key: 'tokens', header: 'Tokens in, out', align: 'end', width: 130 },
    cell: ({ tokensIn, tokensOut }) => `${formatTokens(tokensIn)}, ${formatTokens(tokensOut)}`,
    sortValue: ({ tokensIn }) => tokensIn,
  },
  {
    ...{ key: 'cost', header: 'Cost', align: 'end', width: 90 },
    cell: ({ costUsd }) => <CostText usd={costUsd} />,
    sortValue: ({ costUsd }) => costUsd,
  },
]

function count(header: string, of: (run: TraceRun) => number): Column<TraceRun> {
  return {
    ...{ key: header, header, align: 'end' as const, width: 110 },
    cell: (run) => formatCount(of(run)),
    sortValue: of,
  }
}
