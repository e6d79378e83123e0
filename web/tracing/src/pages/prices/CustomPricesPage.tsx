import type { PriceRule } from '@assay/contract/prices.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { priceRulesQuery, useRemoveRule } from '../../api/prices.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { formatExtraTerms, formatTerms } from '../../parts/price-format.ts'
import { useProject } from '../../shell/use-project.ts'
import { RuleDialog, type RuleTarget } from './RuleDialog.tsx'

/** The prices and aliases of the project and its organization. */
export function CustomPricesPage() {
  const current = useProject()
  const { project, organization, can } = current
  const editing = useDialog<RuleTarget>()
  const removing = useDialog<PriceRule>()
  const canEdit = ({ scope }: PriceRule) =>
    can(scope === 'project' ? 'manage_model_keys' : 'manage_org_settings')
  const listActions = (rule: PriceRule) => [
    { label: 'Edit', onSelect: () => editing.open(rule) },
    { label: 'Delete', isDanger: true, onSelect: () => removing.open(rule) },
  ]
  const params = { projectId: project.id }
  return (
    <ListPage
      title="Custom prices"
      lead={
        <>
          Prices and aliases of the project take precedence over those of its organization, and both
          over the price list. They apply to new spans. To apply them to stored ones,{' '}
          <Link to="/p/$projectId/prices/recalculate" params={params}>
            recalculate costs
          </Link>
          .
        </>
      }
      note={
        <PermissionNote access={current} needs="manage_model_keys" to="set prices of the project" />
      }
      action={
        can('manage_model_keys') && (
          <div className={page.line}>
            <Button variant="default" onClick={() => editing.open({ kind: 'alias' })}>
              New alias
            </Button>
            <Button
              leftSection={<IconPlus size={14} />}
              onClick={() => editing.open({ kind: 'price' })}
            >
              New price
            </Button>
          </div>
        )
      }
      isWide
      rows={useQuery(priceRulesQuery(project.id))}
      noun={['price or alias', 'prices and aliases']}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ model }) => model}
      actions={
        can('manage_model_keys') ? (rule) => (canEdit(rule) ? listActions(rule) : []) : undefined
      }
      empty={{
        Icon: IconTag,
        title: 'No custom prices',
        text: 'Set a price to override the price list, or an alias to map a custom name, such as a deployment, to a model.',
      }}
    >
      <RuleDialog current={current} dialog={editing} />
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveRule(project.id, organization.id)}
        variables={(rule) => rule}
        title={({ kind }) => `Delete this ${kind}?`}
        confirmLabel="Delete"
      >
        {(rule) => (
          <>
            <p>
              <strong>{rule.model}</strong>: {formatTerms(rule)}
              {rule.scope === 'organization' && `, in all projects of ${organization.name}`}.
            </p>
            <p>New calls get the next price that matches. Stored calls keep their cost.</p>
          </>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}

const columns: readonly Column<PriceRule>[] = [
  {
    key: 'model',
    header: 'Model',
    cell: ({ model, provider }) => (
      <TwoLines below={provider ?? 'any provider'}>
        <strong>{model}</strong>
      </TwoLines>
    ),
  },
  {
    key: 'price',
    header: 'Price per million tokens',
    narrow: 'bare',
    cell: (rule) => (
      <TwoLines below={[...formatExtraTerms(rule), rule.note ?? []].flat().join(' · ')}>
        {formatTerms(rule)}
      </TwoLines>
    ),
  },
  {
    key: 'valid',
    header: 'Valid',
    cell: ({ valid_from, valid_to }) => {
      if (valid_from === null && valid_to === null) return 'Always'
      return (
        <>
          {valid_from !== null && (
            <>
              from <TimeText at={valid_from} />{' '}
            </>
          )}
          {valid_to !== null && (
            <>
              until <TimeText at={valid_to} />
            </>
          )}
        </>
      )
    },
  },
  {
    key: 'scope',
    header: 'Scope',
    cell: ({ scope }) => (scope === 'project' ? 'Project' : 'Organization'),
  },
]
