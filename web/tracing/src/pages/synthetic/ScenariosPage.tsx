import form from '@assay/account/form/form.module.css'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import type { Synthesis } from '@assay/contract/blueprint.ts'
import { limits } from '@assay/contract/limits.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import { Button, TextInput } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { parseNumber } from '../../form/parse-number.ts'
import { PageHead } from '../../page/PageHead.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import page from '../../page/page.module.css'
import { ScenarioDetails } from '../../scenarios/ScenarioDetails.tsx'
import { scenarioColumns } from '../../scenarios/scenario-columns.tsx'
import { useProject } from '../../shell/use-project.ts'
import { ModelField } from './ModelField.tsx'
import { RequestRefusal } from './RequestRefusal.tsx'
import { SendToCalculator } from './SendToCalculator.tsx'
import styles from './synthetic.module.css'
import { useSynthetic } from './synthetic-context.ts'
import { Waiting } from './Waiting.tsx'

const route = getRouteApi('/signed-in/p/$projectId/synthetic/scenarios')

/** A preview of conversations with the agent of the blueprint. */
export function ScenariosPage() {
  const { projectId } = route.useParams()
  const { draft } = useSynthetic()
  if (draft.synthesis !== undefined) return <Preview synthesis={draft.synthesis} />
  return (
    <EmptyState
      isPage
      icon={<IconListCheck size={20} stroke={1.75} />}
      title="No blueprint yet"
      actions={
        <LinkButton to="/p/$projectId/synthetic/blueprint" params={{ projectId }}>
          Blueprint
        </LinkButton>
      }
    >
      Scenarios are drafted from a blueprint. Write one first.
    </EmptyState>
  )
}

function Preview({ synthesis: { blueprint } }: { readonly synthesis: Synthesis }) {
  const current = useProject()
  const { draft, drafting } = useSynthetic()
  const { open } = usePageSearch(route)
  const navigate = route.useNavigate()
  const { scenarios } = draft
  const canRun = current.can('run_agents') || current.can('manage_agents')
  return (
    <div className={`${page.page} ${page.large}`}>
      <PageHead
        title="Scenarios"
        lead="A preview of conversations with the agent, about the records of its blueprint. To run scenarios with several models, send the agent to the cost calculator, which generates its own."
        action={<SendToCalculator blueprint={blueprint} />}
      />
      <PermissionNote access={current} needs="run_agents" to="draft scenarios" />
      <div className={styles.stack}>
        {drafting.isPending ? (
          <Waiting activity="Drafting scenarios" request={drafting}>
            This takes up to two minutes. Leaving these pages or reloading cancels it.
          </Waiting>
        ) : (
          canRun && <DraftForm blueprint={blueprint} />
        )}
        {drafting.error !== null && !drafting.isPending && (
          <RequestRefusal title="No scenarios were drafted" error={drafting.error} />
        )}
        {scenarios !== undefined && (
          <DataTable
            caption="Scenarios"
            noun={['scenario', 'scenarios']}
            rows={scenarios}
            columns={scenarioColumns}
            rowKey={({ id }) => id}
            rowName={({ name }) => name}
            isRowClickable
            details={{
              isOpen: ({ id }) => id === open,
              onToggle: ({ id }) =>
                void navigate({
                  search: open === id ? {} : { open: id },
                  replace: true,
                  resetScroll: false,
                }),
              render: (scenario) => <ScenarioDetails scenario={scenario} />,
            }}
          />
        )}
      </div>
    </div>
  )
}

const max = limits.draftedScenarios.value
const usual = 5

function DraftForm({ blueprint }: Pick<Synthesis, 'blueprint'>) {
  const { draft, drafting, choice } = useSynthetic()
  const [typed, setTyped] = useState(String(usual))
  const [isSubmitted, setSubmitted] = useState(false)
  const count = parseNumber(typed) ?? 0
  const isValid = Number.isInteger(count) && count >= 1 && count <= max

  function submit(event: SyntheticEvent): void {
    event.preventDefault()
    setSubmitted(true)
    if (isValid) drafting.start({ blueprint, count, model_config_id: choice.modelId })
  }
  return (
    <form noValidate className={form.settings} aria-label="Draft scenarios" onSubmit={submit}>
      <TextInput
        label="Scenarios"
        description={`1 to ${max}`}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={isSubmitted && !isValid ? `Must be a whole number from 1 to ${max}` : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ModelField choice={choice} />
      <div>
        <Button
          type="submit"
          size="sm"
          variant={draft.scenarios === undefined ? 'filled' : 'default'}
        >
          {draft.scenarios === undefined ? 'Draft scenarios' : 'Draft again'}
        </Button>
      </div>
    </form>
  )
}
