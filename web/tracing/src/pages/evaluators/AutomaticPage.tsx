import type { EvaluationRule } from '@assay/contract/evaluation-rules.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconRobot } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  evaluationRulesQuery,
  useChangeEvaluationRule,
  useRemoveEvaluationRule,
} from '../../api/evaluation-rules.ts'
import { useCollectionName } from '../../api/evaluations.ts'
import type { EditTarget } from '../../page/EditDialog.tsx'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { useProject } from '../../shell/use-project.ts'
import { RuleDialog } from './RuleDialog.tsx'
import { ruleColumns } from './rule-columns.tsx'

/** The rules that evaluate new traces of the project. */
export function AutomaticPage() {
  const current = useProject()
  const { organization, project, can } = current
  const rules = useQuery(evaluationRulesQuery(project.id))
  const collectionName = useCollectionName(organization.id)
  const changing = useChangeEvaluationRule(project.id)
  const editing = useDialog<EditTarget<EvaluationRule>>()
  const removing = useDialog<EvaluationRule>()
  const listActions = (rule: EvaluationRule) => [
    { label: 'Edit', onSelect: () => editing.open(rule) },
    {
      label: rule.is_enabled ? 'Disable' : 'Enable',
      onSelect: () => changing.mutate({ ruleId: rule.id, body: { is_enabled: !rule.is_enabled } }),
    },
    { label: 'Delete', isDanger: true, onSelect: () => removing.open(rule) },
  ]
  return (
    <ListPage
      title="Automatic evaluation"
      lead="Rules run a collection of evaluators on new traces, each once, when no more spans arrive. The list of traces shows the results in the column Scores."
      note={
        <>
          <PermissionNote access={current} needs="run_agents" to="change rules" />
          <FormError message={changing.error?.message} />
        </>
      }
      action={
        can('run_agents') && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => editing.open('new')}>
            New rule
          </Button>
        )
      }
      isWide
      rows={rules}
      noun={['rule', 'rules']}
      columns={ruleColumns({
        projectId: project.id,
        collectionName: (rule) => collectionName(rule.collection_id),
      })}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      actions={can('run_agents') ? listActions : undefined}
      empty={{
        Icon: IconRobot,
        title: 'No rules',
        text: 'Create one to evaluate new traces automatically. Stored traces are not evaluated by rules.',
      }}
    >
      <RuleDialog orgId={organization.id} projectId={project.id} dialog={editing} />
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveEvaluationRule(project.id)}
        variables={({ id }) => id}
        title="Delete this rule?"
        confirmLabel="Delete rule"
      >
        {({ name }) => (
          <p>
            <strong>{name}</strong> no longer evaluates new traces. Stored results are kept.
          </p>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}
