import { type SearchChange, updateSearch } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import type { Synthesis } from '@assay/contract/blueprint.ts'
import type { SyntheticSource } from '@assay/contract/synthetic.ts'
import { formatCost, formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { Button, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import page from '../../page/page.module.css'
import { AgentView } from './AgentView.tsx'
import type { BlueprintPart, BlueprintSearch } from './blueprint-search.ts'
import { ChecksView } from './ChecksView.tsx'
import { labelMissing } from './missing-labels.ts'
import { PoliciesView } from './PoliciesView.tsx'
import { RecordsView } from './RecordsView.tsx'
import styles from './synthetic.module.css'
import { TasksView } from './TasksView.tsx'
import { ToolsView } from './ToolsView.tsx'

const route = getRouteApi('/signed-in/p/$projectId/synthetic/blueprint')

interface Props {
  readonly source: SyntheticSource
  readonly synthesis: Synthesis
  /** Absent for people who may not write it again. */
  readonly onRetry: (() => void) | undefined
}

/** A blueprint in parts. */
export function BlueprintView({ source, synthesis, onRetry }: Props) {
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const { blueprint, checks, notes, missing } = synthesis
  const { agent, system_of_record: record, tasks } = blueprint
  const change = (next: SearchChange<BlueprintSearch>) =>
    void navigate({
      search: (before) => updateSearch(before, next),
      replace: true,
      resetScroll: false,
    })
  const failed = checks.filter(({ passed }) => !passed).length
  const counts = {
    ...{ tools: agent.tools.length, policies: agent.policies.length, tasks: tasks.length },
    records: record.entities.reduce((sum, { rows }) => sum + rows.length, 0),
  }
  return (
    <>
      {missing.length > 0 && <Missing names={missing} onRetry={onRetry} />}
      <p className={page.note}>{describe(synthesis)}</p>
      <Tabs
        value={search.part ?? 'agent'}
        // A part is a page of its own for the back button.
        onChange={(part) =>
          void navigate({
            search: part === 'agent' ? {} : { part: part as BlueprintPart },
            resetScroll: false,
          })
        }
        keepMounted={false}
      >
        <Tabs.List aria-label="Parts of the blueprint" className={styles.parts ?? ''}>
          <Tabs.Tab value="agent">Agent</Tabs.Tab>
          <Tabs.Tab value="tools">Tools ({counts.tools})</Tabs.Tab>
          <Tabs.Tab value="records">Records ({formatCount(counts.records)})</Tabs.Tab>
          <Tabs.Tab value="policies">Policies ({counts.policies})</Tabs.Tab>
          <Tabs.Tab value="tasks">Tasks ({counts.tasks})</Tabs.Tab>
          <Tabs.Tab value="checks">Checks{failed > 0 && ` (${failed} failed)`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="agent">
          <AgentView agent={agent} />
        </Tabs.Panel>
        <Tabs.Panel value="tools">
          <ToolsView tools={agent.tools} />
        </Tabs.Panel>
        <Tabs.Panel value="records">
          <RecordsView
            record={record}
            name={search.entity}
            onSelect={(entity) => change({ entity })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="policies">
          <PoliciesView
            policies={agent.policies}
            text={source.text}
            selected={search.policy}
            onSelect={(policy) => change({ policy })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="tasks">
          <TasksView
            tasks={tasks}
            check={checks.find(({ name }) => name === 'tasks')}
            open={search.task}
            onToggle={(id) => change({ task: search.task === id ? undefined : id })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="checks">
          <ChecksView checks={checks} notes={notes} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

interface MissingProps {
  readonly names: readonly string[]
  readonly onRetry: (() => void) | undefined
}

function Missing({ names, onRetry }: MissingProps) {
  return (
    <div className={styles.warning} role="status">
      <p>
        <strong>The blueprint is incomplete.</strong> Missing or incomplete:{' '}
        {new Intl.ListFormat('en').format(names.map(labelMissing))}. The answer of the model was cut
        off, or parts of it did not fit. What is here can be used.
      </p>
      {onRetry !== undefined && (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

function describe({ blueprint, usage }: Synthesis): string {
  const { tokens_in: input, tokens_out: output, cost_usd: cost } = usage
  const tokens = `${formatTokens(input)} tokens in, ${formatTokens(output)} out`
  const price = cost === null ? 'no price known' : formatCost(cost)
  return `Domain: ${blueprint.domain}. One model call: ${tokens}, ${price}.`
}
