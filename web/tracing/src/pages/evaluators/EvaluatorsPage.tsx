import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { type Evaluator, isJudge } from '@assay/contract/evaluators.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconChecklist, IconFilterOff, IconPlus, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { evaluatorsQuery } from '../../api/evaluators.ts'
import type { EditTarget } from '../../page/EditDialog.tsx'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { useProject } from '../../shell/use-project.ts'
import { AddToCollectionDialog } from './AddToCollectionDialog.tsx'
import { DeleteEvaluatorDialog } from './DeleteEvaluatorDialog.tsx'
import { EvaluatorDetails } from './EvaluatorDetails.tsx'
import { EvaluatorDialog } from './EvaluatorDialog.tsx'
import { EvaluatorFilters } from './EvaluatorFilters.tsx'
import { evaluatorColumns } from './evaluator-columns.tsx'
import { type EvaluatorSearch, filterEvaluators } from './evaluator-search.ts'
import styles from './evaluators.module.css'
import { TrialPanel } from './TrialPanel.tsx'

const route = getRouteApi('/signed-in/p/$projectId/evaluators/catalogue')

/** The built-in evaluators and those of the organization. */
export function EvaluatorsPage() {
  const current = useProject()
  const { organization, project, can } = current
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const evaluators = useQuery(evaluatorsQuery(organization.id))
  const editing = useDialog<EditTarget<Evaluator>>()
  const removing = useDialog<Evaluator>()
  const collecting = useDialog<Evaluator>()
  const [createdId, setCreatedId] = useState<string>()
  const canManage = can('manage_agents')
  const canTry = canManage || can('run_agents')
  const { data } = evaluators
  const rows = useMemo(() => data && filterEvaluators(data, search), [data, search])
  const onSearch = (next: EvaluatorSearch) => void navigate({ search: next, replace: true })
  const onToggle = ({ id }: Evaluator) =>
    onSearch(omitUndefined({ ...search, open: search.open === id ? undefined : id }))
  return (
    <ListPage
      title="Evaluators"
      lead={`Each checks one property of a trace and gives it a score from 0 to 1, where 1 is good. All projects of ${organization.name} share them. Group them into collections, and run these on a trace, on many traces or on all new ones.`}
      note={
        <PermissionNote
          access={current}
          needs="manage_agents"
          to="create evaluators and collections"
        />
      }
      filters={<EvaluatorFilters search={search} onSearch={onSearch} />}
      action={
        canManage && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => editing.open('new')}>
            New evaluator
          </Button>
        )
      }
      isWide
      rows={{ ...evaluators, data: rows }}
      noun={['evaluator', 'evaluators']}
      columns={evaluatorColumns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      isRowClickable
      details={{
        isOpen: ({ id }) => id === search.open,
        onToggle,
        render: (evaluator) => (
          <EvaluatorDetails
            evaluator={evaluator}
            isNew={evaluator.id === createdId}
            action={
              canManage && (
                <Button
                  className={styles.collect}
                  variant={evaluator.id === createdId ? 'filled' : 'default'}
                  leftSection={<IconStack2 size={14} />}
                  onClick={() => collecting.open(evaluator)}
                >
                  Add to a collection
                </Button>
              )
            }
          >
            {canTry && (
              <TrialPanel
                orgId={organization.id}
                projectId={project.id}
                evaluator={{ evaluator: evaluator.id }}
                needsModel={isJudge(evaluator)}
              />
            )}
          </EvaluatorDetails>
        ),
      }}
      actions={
        canManage && data?.some((one) => !one.is_default)
          ? (one) =>
              one.is_default
                ? []
                : [
                    { label: 'Edit', onSelect: () => editing.open(one) },
                    { label: 'Delete', isDanger: true, onSelect: () => removing.open(one) },
                  ]
          : undefined
      }
      empty={emptyList(search)}
    >
      <EvaluatorDialog
        orgId={organization.id}
        projectId={project.id}
        dialog={editing}
        onCreated={({ id }) => {
          setCreatedId(id)
          onSearch({ source: 'own', open: id })
        }}
      />
      <AddToCollectionDialog orgId={organization.id} dialog={collecting} />
      <DeleteEvaluatorDialog orgId={organization.id} projectId={project.id} dialog={removing} />
    </ListPage>
  )
}

function emptyList(search: EvaluatorSearch) {
  const { source, open, ...others } = search
  if (source === 'own' && Object.keys(others).length === 0) {
    return {
      Icon: IconChecklist,
      title: 'No evaluators of your own',
      text: 'Write a prompt for what the built-in ones do not check. A model of yours then judges traces by it.',
    }
  }
  return {
    Icon: IconFilterOff,
    title: 'No evaluators match these filters',
    text: 'Search for another word or clear the filters.',
    action: null,
  }
}
