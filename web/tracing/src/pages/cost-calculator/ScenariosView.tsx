import type { SearchChange } from '@assay/account/routes/search-params.ts'
import type { CostRun } from '@assay/contract/cost-runs.ts'
import { type ScenarioSummary, scenarioCategories } from '@assay/contract/scenarios.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useMemo } from 'react'
import { NoMatches } from '../../page/NoMatches.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import page from '../../page/page.module.css'
import { categoryLabels } from '../../scenarios/category-labels.ts'
import { ScenarioDetails } from '../../scenarios/ScenarioDetails.tsx'
import { scenarioColumns } from '../../scenarios/scenario-columns.tsx'
import { useProject } from '../../shell/use-project.ts'
import styles from './cost-calculator.module.css'
import { IncompleteScenarios } from './IncompleteScenarios.tsx'
import { LiveProgress } from './LiveProgress.tsx'
import { useLiveRun } from './live-context.ts'
import { RegenerateDialog } from './RegenerateDialog.tsx'
import type { RunSearch } from './run-search.ts'
import { ScenarioDialog } from './ScenarioDialog.tsx'

interface Props {
  readonly run: CostRun
  readonly search: RunSearch
  readonly onSearch: (change: SearchChange<RunSearch>, isReplaced?: boolean) => void
}

/** The scenarios of a run, as they arrive. */
export function ScenariosView({ run, search, onSearch }: Props) {
  const current = useProject()
  const live = useLiveRun(run.id)
  const editing = useDialog<ScenarioSummary>()
  const regenerating = useDialog<ScenarioSummary>()
  const { scenarios } = run
  const { category } = search
  const isOwn = live?.isActive === true
  const isGenerating = isOwn ? live.activity === 'generating' : run.is_generating
  const rows = useMemo(
    () => scenarios.filter((one) => category === undefined || one.category === category),
    [scenarios, category],
  )
  const canChange =
    (current.can('run_agents') || current.can('manage_agents')) &&
    run.status !== 'running' &&
    !isGenerating &&
    !isOwn
  return (
    <>
      <PermissionNote access={current} needs="run_agents" to="generate and run scenarios" />
      <FormError message={live?.activity === 'generating' ? live.error : undefined} />
      {isGenerating && (
        <LiveProgress
          run={run}
          activity="Writing scenarios"
          noun="scenario"
          done={scenarios.length}
          total={run.scenario_count}
          costUsd={isOwn ? live.costUsd : 0}
        >
          Scenarios written so far are kept if you cancel.
        </LiveProgress>
      )}
      {!isGenerating && scenarios.length < run.scenario_count && (
        <IncompleteScenarios run={run} canResume={canChange} />
      )}
      <div className={styles.selection}>
        <SegmentedControl
          className={styles.categories}
          aria-label="Category"
          data={[
            { value: 'all', label: 'All' },
            ...scenarioCategories
              .filter((one) => scenarios.some((scenario) => scenario.category === one))
              .map((value) => ({ value, label: categoryLabels[value] ?? value })),
          ]}
          value={category ?? 'all'}
          onChange={(value) =>
            onSearch({ category: scenarioCategories.find((one) => one === value) })
          }
        />
        {run.generator === 'offline' && (
          <span className="dimmed">Written from templates, without a model.</span>
        )}
        {run.status === 'draft' && canChange && scenarios.length > 0 && (
          <Button
            rightSection={<IconArrowRight size={14} />}
            onClick={() => onSearch({ step: 'results' }, false)}
          >
            Run scenarios
          </Button>
        )}
      </div>
      <DataTable
        caption="Scenarios"
        rows={rows}
        noun={['scenario', 'scenarios']}
        columns={scenarioColumns}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        isRowClickable
        details={{
          isOpen: ({ id }) => id === search.open,
          onToggle: ({ id }) => onSearch({ open: search.open === id ? undefined : id }),
          render: (scenario) => <ScenarioDetails scenario={scenario} />,
        }}
        actions={
          canChange
            ? (scenario) => [
                { label: 'Edit', onSelect: () => editing.open(scenario) },
                { label: 'Rewrite', onSelect: () => regenerating.open(scenario) },
              ]
            : undefined
        }
        empty={
          scenarios.length === 0 ? (
            <p className={page.note}>No scenarios yet.</p>
          ) : (
            <NoMatches noun="scenarios" onClear={() => onSearch({ category: undefined })} />
          )
        }
      />
      <ScenarioDialog run={run} dialog={editing} />
      <RegenerateDialog run={run} dialog={regenerating} />
    </>
  )
}
