import type { ObservedModel } from '@assay/contract/prices.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { SegmentedControl } from '@mantine/core'
import { IconCoin } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { observedModelsQuery } from '../../api/prices.ts'
import { ranges } from '../../filter/time-range.ts'
import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { RoleNote } from '../../page/RoleNote.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { type CurrentProject, useProject } from '../../shell/use-project.ts'
import { ModelTable } from './ModelTable.tsx'
import { modelRanges, parseModelsSearch, resolveRange } from './models-search.ts'
import styles from './prices.module.css'
import { RuleDialog } from './RuleDialog.tsx'
import { newDraft, type RuleDraft } from './rule-draft.ts'

const route = getRouteApi('/signed-in/p/$projectId/prices/models')

/** The models that a project calls, with the price that each gets. */
export function ModelsPage() {
  const current = useProject()
  return current === undefined ? null : <Models current={current} />
}

function Models({ current }: { readonly current: CurrentProject }) {
  const { project, organization, can } = current
  const search = route.useSearch({ select: parseModelsSearch })
  const navigate = route.useNavigate()
  const range = resolveRange(search)
  const models = useQuery(observedModelsQuery(project.id, range.id, range.durationMs))
  const drafting = useDialog<RuleDraft>()
  const canPrice = can('manage_model_keys')
  const draft = (kind: RuleDraft['kind']) => (model: ObservedModel) =>
    drafting.open(newDraft(kind, 'project', model))
  return (
    <div className={styles.page}>
      <PageHead
        title="Prices of models"
        lead="What the models cost that this project has called: dollars per million tokens, as a call gets them now."
        action={
          <SegmentedControl
            aria-label="Called in"
            value={range.id}
            onChange={(value) =>
              void navigate({ search: parseModelsSearch({ range: value }), replace: true })
            }
            data={modelRanges.map((one) => ({ value: one, label: ranges[one].label }))}
          />
        }
      />
      {!canPrice && (
        <RoleNote organization={organization}>
          Its Owners, Admins and Editors set prices of the project.
        </RoleNote>
      )}
      {models.isPending ? (
        <TableSkeleton rows={6} />
      ) : models.isError ? (
        <RequestProblem error={models.error} onRetry={() => void models.refetch()} />
      ) : models.data.data.length === 0 ? (
        <EmptyState
          icon={<IconCoin size={20} stroke={1.75} />}
          title="No model was called"
          actions={
            <LinkButton to="/p/$projectId/send" params={{ projectId: project.id }}>
              Send traces
            </LinkButton>
          }
        >
          No span of the {range.label.toLowerCase()} names a model. Calls that tell their model and
          their tokens get a cost when they arrive.
        </EmptyState>
      ) : (
        <>
          <p className={page.count} role="status">
            {summary(models.data.data)} In {countOf(models.data.meta.trace_count, 'trace')}
            {models.data.meta.is_complete ? '.' : ', the newest of that time.'}
          </p>
          <ModelTable
            projectId={project.id}
            models={models.data.data}
            canPrice={canPrice}
            onPrice={draft('price')}
            onAlias={draft('alias')}
          />
        </>
      )}
      <RuleDialog current={current} dialog={drafting} />
    </div>
  )
}

function summary(models: readonly ObservedModel[]): string {
  const unpriced = models.filter(({ resolved }) => resolved.price === null).length
  const without = unpriced === 0 ? 'all with a price' : `${unpriced} without a price`
  return `${countOf(models.length, 'model')}, ${without}.`
}
