import { TextButton } from '@assay/ui/TextButton.tsx'
import type { Stats } from '../../api/stats.ts'
import styles from './dashboard.module.css'
import { describeSimulations } from './describe-simulations.ts'

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
