import type { PriceRule } from '@assay/contract/prices.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { priceRulesQuery } from '../../api/prices.ts'
import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { RoleNote } from '../../page/RoleNote.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { type CurrentProject, useProject } from '../../shell/use-project.ts'
import styles from './prices.module.css'
import { RemoveRuleDialog } from './RemoveRuleDialog.tsx'
import { RuleDialog } from './RuleDialog.tsx'
import { RuleTable } from './RuleTable.tsx'
import { newDraft, type RuleDraft } from './rule-draft.ts'

/** Prices and names of one's own, of the project and of its organization. */
export function CustomPricesPage() {
  const current = useProject()
  return current === undefined ? null : <CustomPrices current={current} />
}

function CustomPrices({ current }: { readonly current: CurrentProject }) {
  const { project, organization, can } = current
  const rules = useQuery(priceRulesQuery(project.id))
  const drafting = useDialog<RuleDraft>()
  const changing = useDialog<PriceRule>()
  const removing = useDialog<PriceRule>()
  const canEditProject = can('manage_model_keys')
  const canEditOrganization = can('manage_org_settings')
  const actions = canEditProject && (
    <div className={page.line}>
      <Button
        variant="default"
        onClick={() => drafting.open(newDraft('alias', 'project', { model: '' }))}
      >
        New alias
      </Button>
      <Button
        leftSection={<IconPlus size={14} />}
        onClick={() => drafting.open(newDraft('price', 'project', { model: '' }))}
      >
        New price
      </Button>
    </div>
  )
  return (
    <div className={styles.page}>
      <PageHead
        title="Own prices"
        lead={
          <>
            A project's prices and aliases come before its organization's, those before the price
            list. They hold from the next batch of spans on; bring stored calls to them under{' '}
            <Link to="/p/$projectId/prices/recalculate" params={{ projectId: project.id }}>
              Price anew
            </Link>
            .
          </>
        }
        action={rules.data !== undefined && rules.data.length > 0 && actions}
      />
      {!canEditProject ? (
        <RoleNote organization={organization}>
          Its Owners, Admins and Editors set prices of the project.
        </RoleNote>
      ) : (
        !canEditOrganization && (
          <RoleNote organization={organization}>
            Prices of the organization are set by its Owners and Admins.
          </RoleNote>
        )
      )}
      {rules.isPending ? (
        <TableSkeleton rows={4} />
      ) : rules.isError ? (
        <RequestProblem error={rules.error} onRetry={() => void rules.refetch()} />
      ) : rules.data.length === 0 ? (
        <EmptyState
          icon={<IconTag size={20} stroke={1.75} />}
          title="The price list alone counts"
          actions={actions}
        >
          Set a price where yours differs from the list, or an alias where a name of your own stands
          for a model, as names of deployments do.
        </EmptyState>
      ) : (
        <RuleTable
          rules={rules.data}
          canChange={({ scope }) => (scope === 'project' ? canEditProject : canEditOrganization)}
          onChange={changing.open}
          onRemove={removing.open}
        />
      )}
      <RuleDialog current={current} dialog={drafting} />
      <RuleDialog current={current} dialog={changing} />
      <RemoveRuleDialog current={current} dialog={removing} />
    </div>
  )
}
