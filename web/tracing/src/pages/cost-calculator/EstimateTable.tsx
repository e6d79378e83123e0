import type { CostEstimate, ModelEstimate } from '@assay/contract/cost-calculator.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCost, formatTokens } from '@assay/ui/number-format.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CostInterval } from './CostInterval.tsx'
import styles from './cost-calculator.module.css'
import { scaleCosts } from './cost-scale.ts'

interface Props {
  readonly projectId: string
  readonly estimate: CostEstimate
  readonly configs: readonly ModelConfig[]
  /** Another estimate is being computed. */
  readonly isStale?: boolean
}

/** The estimated models, cheapest first. Models without a price come last, with the reason. */
export function EstimateTable({ projectId, estimate, configs, isStale = false }: Props) {
  const { perModel, scenarioCount } = estimate
  const scale = useMemo(() => scaleCosts(perModel), [perModel])
  const rows = useMemo(() => toRows(perModel), [perModel])
  const labelOf = ({ model, modelConfigId }: ModelEstimate) =>
    configs.find(({ id }) => id === modelConfigId)?.label ?? model
  const scenarios = countOf(scenarioCount, 'scenario')
  const columns: readonly Column<Row>[] = [
    {
      ...{ key: 'model', header: 'Model', className: styles.model },
      cell: ({ one }) => (
        <TwoLines below={<About projectId={projectId} estimate={one} label={labelOf(one)} />}>
          <strong>{labelOf(one)}</strong>
        </TwoLines>
      ),
      sortValue: ({ one }) => labelOf(one),
    },
    {
      ...{ key: 'interval', header: `${scenarios}, 80% interval`, narrow: 'bare' },
      className: styles.intervalCell,
      hint: 'The bar is from p10 to p90, with the median in it; each step of the scale is ten times the one before',
      cell: ({ one }) => <CostInterval estimate={one} scale={scale} />,
    },
    cost('Median', `Median cost of ${scenarios}`, ({ costUsd }) => costUsd),
    cost(
      'Per scenario',
      'The median of all, divided by their number',
      (one) => one.costPerScenarioUsd,
    ),
    cost('Without cache', 'The median without a prompt cache', (one) => one.costWithoutCachingUsd),
    cost('Per month', 'Runs per month times the mean of a run', ({ monthlyUsd }) => monthlyUsd),
  ]
  return (
    <section className={styles.result} aria-label="Estimated costs" aria-busy={isStale}>
      <DataTable
        caption="Estimated costs"
        rows={rows}
        columns={columns}
        rowKey={({ key }) => key}
        rowName={({ one }) => labelOf(one)}
      />
    </section>
  )
}

interface Row {
  readonly key: string
  readonly one: ModelEstimate
}

/** A model can be requested twice. */
function toRows(perModel: readonly ModelEstimate[]): readonly Row[] {
  return perModel
    .map((one, at) => ({ key: `${at} ${one.modelConfigId ?? one.model}`, one }))
    .toSorted((a, b) => (a.one.costUsd ?? Infinity) - (b.one.costUsd ?? Infinity) || 0)
}

function cost(
  header: string,
  hint: string,
  of: (one: ModelEstimate) => number | null,
): Column<Row> {
  return {
    ...{ key: header, header, hint, align: 'end' as const },
    cell: ({ one }) => formatCost(of(one)),
    sortValue: ({ one }) => of(one),
  }
}

interface AboutProps {
  readonly projectId: string
  readonly estimate: ModelEstimate
  readonly label: string
}

/** The provider, or why the model has no price, and what does not fit into its context. */
function About({ projectId, estimate, label }: AboutProps) {
  const { model, provider, costUsd, why, overflowShare, contextWindow } = estimate
  const names = [label === model ? [] : model, provider ?? []].flat().join(', ')
  return (
    <>
      {names}
      {costUsd === null && (
        <>
          {names !== '' && '. '}
          <span className={styles.warning}>{why}</span>{' '}
          <Link to="/p/$projectId/prices/custom" params={{ projectId }}>
            Prices
          </Link>
        </>
      )}
      {overflowShare > 0 && contextWindow !== null && (
        <span className={styles.warning}>
          {names !== '' && '. '}
          {formatShare(overflowShare)} of calls exceed the context of {formatTokens(contextWindow)}{' '}
          tokens, and are priced as full.
        </span>
      )}
    </>
  )
}

function formatShare(share: number): string {
  return share < 0.01 ? 'Less than 1%' : `${Math.round(100 * share)}%`
}
