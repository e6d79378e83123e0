import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import type { ObservedModel } from '@assay/contract/prices.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCost, formatCount } from '@assay/ui/number-format.ts'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { SegmentedControl } from '@mantine/core'
import { IconAlertTriangle, IconCoin } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { observedModelsQuery } from '../../api/prices.ts'
import { ranges } from '../../filter/time-range.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CostText } from '../../parts/CostText.tsx'
import { formatPrice, formatPriceSource } from '../../parts/price-format.ts'
import { formatUnpricedCalls, sumOfCalls } from '../../parts/unpriced-calls.ts'
import { useProject } from '../../shell/use-project.ts'
import { modelRanges, modelsSearch, resolveRange } from './models-search.ts'
import { describeNoModelCalls } from './no-model-calls.ts'
import styles from './prices.module.css'
import { RuleDialog, type RuleTarget } from './RuleDialog.tsx'

const route = getRouteApi('/signed-in/p/$projectId/prices/models')

/** The models that a project calls with their prices, unpriced ones first. */
export function ModelsPage() {
  const current = useProject()
  const params = { projectId: current.project.id }
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const range = resolveRange(search)
  const models = useQuery(observedModelsQuery(params.projectId, range.id, range.durationMs))
  const { meta = { trace_count: 0, is_complete: true } } = models.data ?? {}
  const unpriced = models.data && formatUnpricedCalls(sumOfCalls(models.data.data))
  const editing = useDialog<RuleTarget>()
  const set = (kind: RuleTarget['kind'], { model, provider }: ObservedModel) => ({
    label: `Set ${kind}`,
    onSelect: () => editing.open({ kind, model, provider }),
  })
  return (
    <ListPage
      title="Model prices"
      lead="Models that this project has called, with their current prices in dollars per million tokens."
      note={
        <>
          <PermissionNote
            access={current}
            needs="manage_model_keys"
            to="set prices of the project"
          />
          {unpriced !== undefined && (
            <p className={styles.message} role="note">
              {unpriced}
            </p>
          )}
        </>
      }
      action={
        <SegmentedControl
          aria-label="Time range"
          value={range.id}
          onChange={(value) =>
            void navigate({ search: modelsSearch.parse({ range: value }), replace: true })
          }
          data={modelRanges.map((one) => ({ value: one, label: ranges[one].label }))}
        />
      }
      isWide
      rows={{ ...models, data: models.data?.data }}
      noun={['model', 'models']}
      countNote={models.data && formatCoverage(models.data)}
      columns={columns}
      rowKey={({ model, provider, service_tier }) => [model, provider, service_tier].join('\n')}
      rowName={({ model }) => model}
      actions={
        current.can('manage_model_keys')
          ? (model) => [
              set('price', model),
              ...(model.resolved.price === null ? [set('alias', model)] : []),
            ]
          : undefined
      }
      empty={{
        Icon: IconCoin,
        ...describeNoModelCalls(range.label, meta),
        action: meta.is_complete ? (
          <LinkButton to="/p/$projectId/send" params={params}>
            Send traces
          </LinkButton>
        ) : (
          <LinkButton
            to="/p/$projectId/traces"
            params={params}
            search={{ kind: 'llm', mode: 'all', range: range.id }}
          >
            Find model calls
          </LinkButton>
        ),
      }}
    >
      <RuleDialog current={current} dialog={editing} />
    </ListPage>
  )
}

type Models = Awaited<ReturnType<NonNullable<ReturnType<typeof observedModelsQuery>['queryFn']>>>

function formatCoverage({ data, meta }: Models): string {
  const unpriced = data.filter(({ resolved }) => resolved.price === null).length
  const priced = unpriced === 0 ? 'all priced' : `${unpriced} without a price`
  const traces = `${meta.is_complete ? '' : 'the newest '}${countOf(meta.trace_count, 'trace')}`
  return `, ${priced}, in ${traces}`
}

const columns: readonly Column<ObservedModel>[] = [
  {
    key: 'model',
    header: 'Model',
    width: 220,
    cell: ({ model, provider, service_tier, resolved: { alias } }) => (
      <TwoLines
        below={[
          provider ?? 'no provider',
          service_tier === null ? [] : `service tier ${service_tier}`,
          alias === null ? [] : `alias for ${alias.target_model}`,
        ]
          .flat()
          .join(', ')}
      >
        <strong title={model}>{model}</strong>
      </TwoLines>
    ),
  },
  {
    key: 'source',
    header: 'Price source',
    width: 240,
    className: styles.source,
    narrow: 'bare',
    cell: (model) => <PriceSource model={model} />,
  },
  priceColumn('Input', 'input_usd_per_mtok'),
  priceColumn('Output', 'output_usd_per_mtok'),
  priceColumn('Cache read', 'cache_read_usd_per_mtok'),
  priceColumn('Cache write', 'cache_write_usd_per_mtok'),
  {
    key: 'calls',
    header: 'Calls',
    align: 'end',
    cell: ({ span_count, model_call_count }) => (
      <span title={`${countOf(span_count - model_call_count, 'more span')} without tokens`}>
        {formatCount(model_call_count)}
      </span>
    ),
    sortValue: ({ model_call_count }) => model_call_count,
  },
  {
    key: 'cost',
    header: 'Cost',
    align: 'end',
    cell: (model) => <Cost model={model} />,
    sortValue: ({ cost_usd }) => cost_usd,
  },
]

type PriceMember = 'input' | 'output' | 'cache_read' | 'cache_write'

function priceColumn(header: string, member: `${PriceMember}_usd_per_mtok`): Column<ObservedModel> {
  const getPrice = ({ resolved }: ObservedModel) => resolved.price?.[member] ?? null
  return {
    key: member,
    header,
    align: 'end',
    cell: (model) => formatPrice(getPrice(model)),
    sortValue: getPrice,
  }
}

interface OfModel {
  readonly model: ObservedModel
}

/** Reported costs are compared with the computed ones of the same calls. */
function Cost({ model: { cost_usd, compared } }: OfModel) {
  if (compared === null) return <CostText usd={cost_usd} />
  const { span_count: count, reported_usd: reported, computed_usd: computed } = compared
  return (
    <TwoLines
      below={
        <span title={`In ${countOf(count, 'call')} with a reported cost`}>
          {formatCost(reported)} reported, {formatCost(computed)} computed
        </span>
      }
    >
      <CostText usd={cost_usd} />
    </TwoLines>
  )
}

function PriceSource({ model: { resolved, unpriced_call_count: count } }: OfModel) {
  const { projectId } = route.useParams()
  const { price, why } = resolved
  if (price === null) {
    return (
      <TwoLines below={why}>
        <span className={styles.unpriced}>
          <IconAlertTriangle size={14} aria-hidden /> Unpriced
        </span>
      </TwoLines>
    )
  }
  const below =
    count === 0 ? (
      <span title={why}>as of {price.date}</span>
    ) : (
      <>
        {countOf(count, 'stored call')} without a price:{' '}
        <Link to="/p/$projectId/prices/recalculate" params={{ projectId }}>
          recalculate
        </Link>
      </>
    )
  return <TwoLines below={below}>{formatPriceSource(resolved)}</TwoLines>
}
