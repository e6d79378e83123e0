import type { AlertEvent, AlertRule } from '@assay/contract/alerts.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { alertEventsQuery } from '../../api/alerts.ts'
import { AlertStatus } from './AlertStatus.tsx'
import { formatAlertValue, formatDelivery } from './alert-labels.ts'
import { toFiringTraces } from './alert-traces.ts'
import styles from './alerts.module.css'

/** The changes of the status of a rule, newest first, with what became of their messages. */
export function AlertHistory({ rule }: { readonly rule: AlertRule }) {
  const { data, error, isPending } = useQuery(alertEventsQuery(rule.project_id, rule.id))
  return (
    <section className={styles.history} aria-label={`History of ${rule.name}`}>
      <h2 className={styles.heading}>History</h2>
      {isPending ? (
        <TableSkeleton rows={2} />
      ) : data === undefined ? (
        <FormError message={error?.message} />
      ) : data.length === 0 ? (
        <p className={styles.note}>The status has not changed yet.</p>
      ) : (
        <ol className={styles.events}>
          {data.map((event) => (
            <Event key={event.id} event={event} rule={rule} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Event({ event, rule }: { readonly event: AlertEvent; readonly rule: AlertRule }) {
  const { at, status, value, deliveries } = event
  const traces = toFiringTraces(rule, event)
  return (
    <li className={styles.event}>
      <TimeText at={at} withAge />
      <span>
        <AlertStatus status={status} />
      </span>
      <span className={styles.value}>{formatAlertValue(rule.metric, value)}</span>
      {traces !== undefined && (
        <Link to="/p/$projectId/traces" params={{ projectId: rule.project_id }} search={traces}>
          {rule.metric === 'error_rate' ? 'Open traces in error' : 'Open traces'}
        </Link>
      )}
      {deliveries.length > 0 && (
        <ul className={styles.deliveries}>
          {deliveries.map((delivery) => (
            <li key={delivery.channel + delivery.recipient}>{formatDelivery(delivery)}</li>
          ))}
        </ul>
      )}
    </li>
  )
}
