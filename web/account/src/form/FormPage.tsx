import { type ReactNode, use } from 'react'
import { ProductName } from '../shell/product-name.ts'
import styles from './form.module.css'

interface Props {
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** A page with one form, for people who are signed out. */
export function FormPage({ title, lead, children }: Props) {
  return (
    <div className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <img src="/favicon.svg" width={22} height={22} alt="" />
          {use(ProductName)}
        </div>
        <div>
          <h1 className={styles.title}>{title}</h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </div>
        {children}
      </div>
    </div>
  )
}
