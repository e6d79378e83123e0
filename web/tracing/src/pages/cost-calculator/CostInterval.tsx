import type { ModelEstimate } from '@assay/contract/cost-calculator.ts'
import { formatCost } from '@assay/ui/number-format.ts'
import styles from './cost-calculator.module.css'
import { type CostScale, formatTick } from './cost-scale.ts'

interface Props {
  readonly estimate: Pick<ModelEstimate, 'costUsd' | 'costUsdP10' | 'costUsdP90'>
  readonly scale: CostScale | undefined
}

/** The median within its interval, on the scale of all models. */
export function CostInterval({ estimate: { costUsd, costUsdP10, costUsdP90 }, scale }: Props) {
  if (costUsd === null || costUsdP10 === null || costUsdP90 === null) return null
  const range = `${formatCost(costUsdP10)} to ${formatCost(costUsdP90)}`
  return (
    <span className={styles.interval}>
      {scale !== undefined && <Axis scale={scale} />}
      {scale !== undefined && (
        <span className={styles.scale} aria-hidden>
          {scale.ticks.map((usd) => (
            <span key={usd} className={styles.tick} style={{ left: `${scale.positionOf(usd)}%` }} />
          ))}
          <span
            className={styles.bar}
            style={{
              left: `${scale.positionOf(costUsdP10)}%`,
              right: `${100 - scale.positionOf(costUsdP90)}%`,
            }}
          />
          <span className={styles.median} style={{ left: `${scale.positionOf(costUsd)}%` }} />
        </span>
      )}
      <span className="dimmed number">{range}</span>
    </span>
  )
}

/** The labels of the scale: in the first row, or in each one where rows are cards. */
function Axis({ scale }: { readonly scale: CostScale }) {
  return (
    <span className={styles.axis} aria-hidden>
      {scale.ticks.map((usd) => (
        <span key={usd} style={{ left: `${scale.positionOf(usd)}%` }}>
          {formatTick(usd)}
        </span>
      ))}
    </span>
  )
}
