import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import type { AlertRule } from '@assay/contract/alerts.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconBell, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { alertRulesQuery, useChangeAlertRule, useRemoveAlertRule } from '../../api/alerts.ts'
import type { EditTarget } from '../../page/EditDialog.tsx'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { useProject } from '../../shell/use-project.ts'
import { AlertDialog } from './AlertDialog.tsx'
import { AlertHistory } from './AlertHistory.tsx'
import { AlertTestDialog } from './AlertTestDialog.tsx'
import { alertColumns } from './alert-columns.tsx'

const route = getRouteApi('/signed-in/p/$projectId/alerts')

/** The alert rules of the project, with their states and histories. */
export function AlertsPage() {
  const current = useProject()
  const { organization, project, can } = current
  const rules = useQuery(alertRulesQuery(project.id))
  const changing = useChangeAlertRule(project.id)
  const editing = useDialog<EditTarget<AlertRule>>()
  const testing = useDialog<AlertRule>()
  const removing = useDialog<AlertRule>()
  const { rule: openId } = usePageSearch(route)
  const navigate = route.useNavigate()
  const canManage = can('manage_metrics')
  const listActions = (rule: AlertRule) => [
    { label: 'Send test', onSelect: () => testing.open(rule) },
    { label: 'Edit', onSelect: () => editing.open(rule) },
    {
      label: rule.is_enabled ? 'Disable' : 'Enable',
      onSelect: () => changing.mutate({ ruleId: rule.id, body: { is_enabled: !rule.is_enabled } }),
    },
    { label: 'Delete', isDanger: true, onSelect: () => removing.open(rule) },
  ]
  return (
    <ListPage
      title="Alerts"
      lead="Rules on errors, latency, cost, scores and missing data, checked every minute. A rule that starts or stops firing notifies members by mail and calls a webhook."
      note={
        <>
          <PermissionNote access={current} needs="manage_metrics" to="change alert rules" />
          <FormError message={changing.error?.message} />
        </>
      }
      action={
        canManage && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => editing.open('new')}>
            New rule
          </Button>
        )
      }
      isWide
      rows={rules}
      noun={['rule', 'rules']}
      columns={alertColumns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      isRowClickable
      details={{
        isOpen: ({ id }) => id === openId,
        onToggle: ({ id }) =>
          void navigate({ search: id === openId ? {} : { rule: id }, replace: true }),
        render: (rule) => <AlertHistory rule={rule} />,
      }}
      actions={canManage ? listActions : undefined}
      empty={{
        Icon: IconBell,
        title: 'No alert rules',
        text: 'Create one to be notified of failing, slow, expensive or missing traces.',
      }}
    >
      <AlertDialog orgId={organization.id} projectId={project.id} dialog={editing} />
      <AlertTestDialog dialog={testing} />
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveAlertRule(project.id)}
        variables={({ id }) => id}
        title="Delete this rule?"
        confirmLabel="Delete rule"
      >
        {({ name }) => (
          <p>
            <strong>{name}</strong> and its history are deleted. This can't be undone.
          </p>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}
