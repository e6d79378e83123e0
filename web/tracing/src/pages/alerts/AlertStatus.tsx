import type { AlertRule } from '@assay/contract/alerts.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import styles from './alerts.module.css'

/** The status of an alert rule. */
export function AlertStatus({ status }: Pick<AlertRule['state'], 'status'>) {
  switch (status) {
    case 'firing':
      return <StatusMark isError word="Firing" />
    case 'ok':
      return <StatusMark isError={false} word="OK" />
    case 'no_data':
      return <Quiet word="Not enough data" />
    case 'pending':
      return <Quiet word="Not checked yet" />
    case 'disabled':
      return <Quiet word="Disabled" />
  }
}

function Quiet({ word }: { readonly word: string }) {
  return <span className={styles.quiet}>{word}</span>
}
