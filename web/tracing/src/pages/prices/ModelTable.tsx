import type { ObservedModel } from '@assay/contract/prices.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCost, formatCount } from '@assay/ui/number-format.ts'
import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CostText } from '../../parts/CostText.tsx'
import { formatPrice, formatPriceSource, unpricedReasonLabels } from './price-format.ts'
import styles from './prices.module.css'

interface Props {
  readonly projectId: string
  readonly models: readonly ObservedModel[]
  readonly canPrice: boolean
  readonly onPrice: (model: ObservedModel) => void
  readonly onAlias: (model: ObservedModel) => void
}

/** Models with their prices, the unpriced ones first. */
export function ModelTable({ projectId, models, canPrice, onPrice, onAlias }: Props) {
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption className="visually-hidden">Models and their prices</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Priced by</th>
            <th scope="col" className={styles.number}>
              In
            </th>
            <th scope="col" className={styles.number}>
              Out
            </th>
            <th scope="col" className={styles.number}>
              Cache read
            </th>
            <th scope="col" className={styles.number}>
              Cache write
            </th>
            <th scope="col" className={styles.number}>
              Calls
            </th>
            <th scope="col" className={styles.number}>
              Cost
            </th>
            {canPrice && (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={[model.model, model.provider, model.service_tier].join('\n')}>
              <td className={styles.name}>
                <ModelName model={model} />
              </td>
              <td className={styles.by}>
                <PricedBy model={model} projectId={projectId} />
              </td>
              <Prices model={model} />
              <td className={styles.number} data-label="Calls">
                {formatCount(model.span_count)}
              </td>
              <td className={styles.number} data-label="Cost">
                <Cost model={model} />
              </td>
              {canPrice && (
                <td className={styles.action}>
                  <div className={styles.choices}>
                    <Button
                      variant={model.resolved.price === null ? 'light' : 'subtle'}
                      size="compact-xs"
                      aria-label={`Set a price for ${model.model}`}
                      onClick={() => onPrice(model)}
                    >
                      Set a price
                    </Button>
                    {model.resolved.price === null && (
                      <Button
                        variant="subtle"
                        size="compact-xs"
                        aria-label={`Say which model ${model.model} is`}
                        onClick={() => onAlias(model)}
                      >
                        Set an alias
                      </Button>
                    )}
                  </div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ModelName({ model: { model, provider, service_tier, resolved } }: OfModel) {
  const below = [
    provider,
    service_tier === null ? null : `service tier ${service_tier}`,
    resolved.alias === null ? null : `stands for ${resolved.alias.target_model}`,
  ].filter((part) => part !== null)
  return (
    <TwoLines below={below.length === 0 ? 'no provider named' : below.join(', ')}>
      <span className={styles.model} title={model}>
        {model}
      </span>
    </TwoLines>
  )
}

/** Where senders reported costs that have a price, too, one stands beside the other. */
function Cost({ model: { cost_usd, compared } }: OfModel) {
  if (compared === null) return <CostText usd={cost_usd} />
  const { span_count: count, reported_usd: reported, computed_usd: computed } = compared
  return (
    <TwoLines
      below={
        <span title={`Of ${countOf(count, 'call')} whose cost was reported`}>
          {formatCost(reported)} reported, {formatCost(computed)} computed
        </span>
      }
    >
      <CostText usd={cost_usd} />
    </TwoLines>
  )
}

interface OfModel {
  readonly model: ObservedModel
}

function PricedBy({ model, projectId }: OfModel & { readonly projectId: string }) {
  const { resolved, unpriced_count: count } = model
  const { price, unpriced_reason: reason, why } = resolved
  if (price === null) {
    return (
      <TwoLines below={why}>
        <span className={styles.unpriced}>
          <IconAlertTriangle size={14} aria-hidden /> Unpriced
          {reason !== null && `: ${unpricedReasonLabels[reason]}`}
        </span>
      </TwoLines>
    )
  }
  return (
    <TwoLines
      below={
        count === 0 ? (
          <span title={why}>as of {price.date}</span>
        ) : (
          <>
            {countOf(count, 'stored call')} without a cost:{' '}
            <Link to="/p/$projectId/prices/recalculate" params={{ projectId }}>
              price anew
            </Link>
          </>
        )
      }
    >
      {formatPriceSource(resolved)}
    </TwoLines>
  )
}

function Prices({ model: { resolved } }: OfModel) {
  const { price } = resolved
  const cells = [
    ['In', price?.input_usd_per_mtok],
    ['Out', price?.output_usd_per_mtok],
    ['Cache read', price?.cache_read_usd_per_mtok],
    ['Cache write', price?.cache_write_usd_per_mtok],
  ] as const
  return cells.map(([label, usd]) => (
    <td key={label} className={styles.number} data-label={label}>
      {usd === undefined ? <span className="dimmed">{formatPrice(null)}</span> : formatPrice(usd)}
    </td>
  ))
}
