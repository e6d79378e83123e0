import { countOf } from '@assay/ui/count-of.ts'
import { TextButton } from '@assay/ui/TextButton.tsx'
import type { Stats } from '../../api/stats.ts'
import styles from './dashboard.module.css'
import { formatAggregateCost } from './measures.ts'
import { sumBuckets } from './stats-series.ts'

interface Props {
  /** Undefined: not known, or included. */
  readonly simulations: Stats | undefined
  readonly onShow: () => void
}

/** What simulations cost in the time range, where they are not included. */
export function SimulationNote({ simulations, onShow }: Props) {
  const text = simulations && describeSimulations(simulations)
  if (text === undefined) return null
  return (
    <p className={styles.none} role="note">
      {text} <TextButton onClick={onShow}>Show simulated traces</TextButton>
    </p>
  )
}

/** Undefined for none. */
export function describeSimulations(simulations: Stats): string | undefined {
  const total = sumBuckets(simulations)
  if (total.count === 0) return undefined
  const end = total.count === 1 ? 'is not included' : 'are not included'
  return `${countOf(total.count, 'simulated trace')}, for example calls of judges, cost ${formatAggregateCost(total)} in this time range and ${end}.`
}
