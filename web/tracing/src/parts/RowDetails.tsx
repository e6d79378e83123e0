import type { ReactNode } from 'react'
import page from '../page/page.module.css'
import styles from './row-details.module.css'

interface Props {
  /** Those with an empty value are left out. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly children: ReactNode
}

/** What an unfolded row of a table shows: named facts, and a list below. */
export function RowDetails({ facts, children }: Props) {
  return (
    <div className={styles.details}>
      <dl className={page.facts}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {children}
    </div>
  )
}
