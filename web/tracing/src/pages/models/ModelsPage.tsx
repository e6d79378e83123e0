import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { type ModelConfig, requiresApiKey } from '@assay/contract/model-configs.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRemoveModelConfig } from '../../api/model-configs.ts'
import type { EditTarget } from '../../page/EditDialog.tsx'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { TwoLines } from '../../page/TwoLines.tsx'
import { useOrganization } from '../../shell/use-organization.ts'
import { ModelDialog } from './ModelDialog.tsx'
import { providerLabels } from './model-values.ts'
import styles from './models.module.css'
import { TestDialog } from './TestDialog.tsx'

/** The models that the organization calls with its own keys. */
export function ModelsPage() {
  const current = useOrganization()
  const { organization, can } = current
  const editing = useDialog<EditTarget<ModelConfig>>()
  const testing = useDialog<ModelConfig>()
  const removing = useDialog<ModelConfig>()
  const canManage = can('manage_model_keys')
  return (
    <ListPage
      title="Models"
      lead="Models for chat, judges, the cost calculator and the synthetic setup, with your own API keys. Keys are stored encrypted and never shown again."
      note={<PermissionNote access={current} needs="manage_model_keys" to="add and test models" />}
      action={
        canManage && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => editing.open('new')}>
            Add a model
          </Button>
        )
      }
      rows={useQuery(modelConfigsQuery(organization.id))}
      noun={['model', 'models']}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ label }) => label}
      actions={
        canManage
          ? (config) => [
              { label: 'Test', onSelect: () => testing.open(config) },
              { label: 'Edit', onSelect: () => editing.open(config) },
              { label: 'Delete', isDanger: true, onSelect: () => removing.open(config) },
            ]
          : undefined
      }
      empty={{
        Icon: IconSparkles,
        title: 'No models',
        text: 'Assay Chat and evaluators that judge the quality of an answer call a model. Add a provider’s model, or one that runs on your own machines.',
      }}
    >
      <ModelDialog orgId={organization.id} dialog={editing} />
      <TestDialog orgId={organization.id} dialog={testing} />
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveModelConfig(organization.id)}
        variables={({ id }) => id}
        title="Delete this model?"
        confirmLabel="Delete model"
      >
        {({ label }) => (
          <p>
            <strong>{label}</strong> and its key are removed. Evaluators can no longer use it, and
            rules that use it stop until you choose another model. Stored results are kept.
          </p>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}

const columns: readonly Column<ModelConfig>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ label, model }) => (
      <TwoLines below={label === model ? '' : model}>
        <strong>{label}</strong>
      </TwoLines>
    ),
    sortValue: ({ label }) => label,
  },
  {
    key: 'provider',
    header: 'Provider',
    narrow: 'bare',
    cell: ({ provider, base_url }) => (
      <TwoLines below={<span className={styles.url}>{base_url}</span>}>
        {providerLabels[provider]}
      </TwoLines>
    ),
    sortValue: ({ provider }) => provider,
  },
  {
    key: 'key',
    header: 'API key',
    cell: ({ provider, has_api_key }) => {
      if (has_api_key) return <StatusMark isError={false} word="Stored" />
      if (requiresApiKey(provider)) return <StatusMark isError word="Missing" />
      return <span className="dimmed">None</span>
    },
  },
  {
    key: 'created',
    header: 'Added',
    narrow: 'hidden',
    cell: ({ created_at }) => <TimeText at={created_at} />,
    sortValue: ({ created_at }) => created_at,
  },
]
