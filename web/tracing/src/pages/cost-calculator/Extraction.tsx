import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { updateSearch } from '@assay/account/routes/search-params.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import type { Volumes } from '@assay/contract/cost-calculator.ts'
import type { AgentExtraction, ExcludedRun } from '@assay/contract/trace-runs.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { emptyDraft } from '../../api/agent-drafts.ts'
import { extractionQuery } from '../../api/trace-runs.ts'
import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { CostText } from '../../parts/CostText.tsx'
import styles from './cost-calculator.module.css'
import type { ImportSearch } from './import-search.ts'
import { findSuggestedPrompt } from './suggested-prompt.ts'
import { useDraft } from './use-draft.ts'
import { describeLearned, volumeRows } from './volume-rows.ts'

interface Props {
  readonly projectId: string
  readonly traceIds: readonly string[]
  readonly search: ImportSearch
}

/** What recorded runs contain, before it replaces the entered agent. */
export function Extraction({ projectId, traceIds, search }: Props) {
  const { data, error, refetch } = useQuery(extractionQuery(projectId, traceIds))
  const back = (
    <LinkButton
      variant="default"
      to="/p/$projectId/cost-calculator/import"
      params={{ projectId }}
      search={updateSearch(search, { extract: undefined })}
    >
      Select other runs
    </LinkButton>
  )
  return (
    <div className={page.page}>
      <PageHead
        title="Import from recorded runs"
        lead={`What ${countOf(traceIds.length, 'run')} contain${traceIds.length === 1 ? 's' : ''}. No model is called.`}
        action={back}
      />
      {data === undefined ? (
        error === null ? (
          <TableSkeleton rows={6} />
        ) : (
          <RequestProblem error={error} onRetry={() => void refetch()} actions={back} />
        )
      ) : (
        <Preview projectId={projectId} extraction={data} />
      )}
    </div>
  )
}

interface PreviewProps {
  readonly projectId: string
  readonly extraction: AgentExtraction
}

function Preview({ projectId, extraction }: PreviewProps) {
  const { suggestion, systemPrompts, items, volumes, notes } = extraction
  const { draft, replaceDraft } = useDraft()
  const navigate = useNavigate()
  const [promptAt, setPromptAt] = useState(() => findSuggestedPrompt(extraction))
  const prompt = systemPrompts[promptAt]?.text ?? suggestion.system_prompt
  const counted = items.filter(({ excluded }) => excluded === null).length

  function use(): void {
    const imported = counted === 0 ? undefined : volumes
    replaceDraft({ agent: { ...suggestion, system_prompt: prompt }, imported })
    void navigate({ to: '/p/$projectId/cost-calculator/agent', params: { projectId } })
  }
  return (
    <div className={styles.agent}>
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <section className={styles.tools} aria-label="System prompt">
        <h2 className={page.heading}>System prompt</h2>
        {systemPrompts.length > 1 && (
          <NativeSelect
            aria-label="System prompt of"
            description="The runs have different system prompts."
            data={systemPrompts.map(({ calls, text }, at) => ({
              value: String(at),
              label: `${countOf(calls, 'call')}: ${text.slice(0, 60)}`,
            }))}
            value={String(promptAt)}
            onChange={(event) => setPromptAt(Number(event.currentTarget.value))}
          />
        )}
        <pre className={styles.text}>{prompt || 'None recorded.'}</pre>
      </section>
      <section className={styles.tools} aria-label="Tools and tone">
        <h2 className={page.heading}>{countOf(suggestion.tools.length, 'tool')}</h2>
        <p className={page.note}>
          {suggestion.tools.map(({ name }) => name).join(', ') || 'The runs define and call none.'}
        </p>
        {suggestion.tone !== '' && <p className={page.note}>Tone: {suggestion.tone}</p>}
      </section>
      <VolumesSection volumes={volumes} counted={counted} />
      <DataTable
        caption="Runs"
        rows={items}
        columns={runColumns(projectId)}
        rowKey={({ traceId }) => traceId}
        noun={['run', 'runs']}
      />
      <div className={page.line}>
        <Button size="sm" onClick={use}>
          {draft === emptyDraft ? 'Use this agent' : 'Replace the entered agent'}
        </Button>
      </div>
    </div>
  )
}

/** Of all runs, or of those with one of several models. */
function VolumesSection({
  volumes,
  counted,
}: {
  readonly volumes: Volumes
  readonly counted: number
}) {
  const { by_model: models = [] } = volumes
  const [name, setName] = useState('')
  const own = models.find(({ model }) => model === name)
  const learned = describeLearned(own ?? volumes, volumes)
  return (
    <section className={styles.tools} aria-label="Volumes">
      <h2 className={page.heading}>Volumes of {countOf(own?.runs ?? counted, 'run')}</h2>
      {models.length > 0 && (
        <NativeSelect
          aria-label="Volumes of the model"
          data={[
            { value: '', label: 'All models' },
            ...models.map(({ model, runs }) => ({
              value: model,
              label: `${model}: ${countOf(runs, 'run')}`,
            })),
          ]}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <DataTable
        caption="Volumes"
        rows={volumeRows(own ?? volumes)}
        columns={volumeColumns}
        rowKey={({ label }) => label}
        empty={<p className={page.note}>No run has model calls with token counts.</p>}
      />
      {learned !== '' && <p className={page.note}>{learned}</p>}
    </section>
  )
}

type VolumeRow = ReturnType<typeof volumeRows>[number]

const volumeColumns: readonly Column<VolumeRow>[] = [
  { key: 'label', header: 'Per run', cell: ({ label }) => label },
  ...(['p50', 'p90', 'mean'] as const).map(
    (name): Column<VolumeRow> => ({
      ...{ key: name, header: name === 'mean' ? 'Mean' : name, align: 'end' },
      cell: (row) => row[name] ?? '—',
    }),
  ),
]

const excludedLabels: Readonly<Record<ExcludedRun, string>> = {
  no_model_call: 'Left out: no model call',
  no_usage: 'Left out: no token counts',
  incomplete: 'Left out: model calls are missing',
}

const runColumns = (projectId: string): readonly Column<AgentExtraction['items'][number]>[] => [
  {
    ...{ key: 'run', header: 'Run' },
    cell: ({ traceId }) => (
      <Link to="/p/$projectId/traces/$traceId" params={{ projectId, traceId }}>
        {traceId.slice(0, 16)}
      </Link>
    ),
  },
  { key: 'model', header: 'Model', cell: ({ model }) => model ?? '—' },
  { key: 'calls', header: 'Calls', align: 'end', cell: ({ llmCalls }) => formatCount(llmCalls) },
  {
    ...{ key: 'tokens', header: 'Tokens in, out', align: 'end' },
    cell: ({ tokensIn, tokensOut }) => `${formatTokens(tokensIn)}, ${formatTokens(tokensOut)}`,
  },
  {
    ...{ key: 'cost', header: 'Cost', align: 'end' },
    cell: ({ costUsd }) => <CostText usd={costUsd} />,
  },
  {
    ...{ key: 'excluded', header: 'Counted', narrow: 'bare' },
    cell: ({ excluded }) => (excluded === null ? 'Yes' : excludedLabels[excluded]),
  },
]
