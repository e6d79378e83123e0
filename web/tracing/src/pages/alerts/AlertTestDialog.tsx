import type { AlertRule } from '@assay/contract/alerts.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { alertTestQuery } from '../../api/alerts.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import styles from './alerts.module.css'

/** Sends a test message when it opens, and shows what came of it. */
export function AlertTestDialog({ dialog }: { readonly dialog: DialogState<AlertRule> }) {
  return (
    <FormDialog dialog={dialog} title={({ name }) => `Test ${name}`}>
      {(rule, close) => dialog.isOpen && <Test rule={rule} onClose={close} />}
    </FormDialog>
  )
}

interface TestProps {
  readonly rule: AlertRule
  readonly onClose: () => void
}

function Test({ rule, onClose }: TestProps) {
  const query = alertTestQuery(rule.project_id, rule.id)
  const { data, error, isFetching, refetch } = useQuery(query)
  return (
    <div className={styles.result}>
      {isFetching ? (
        <p className={styles.line} role="status">
          <Loader size="xs" /> Sending a test message…
        </p>
      ) : (
        <div role="status">
          <FormError message={error?.message} />
          {data !== undefined && error === null && (
            <ul className={styles.outcomes}>
              {data.deliveries.map(({ channel, recipient, is_delivered, problem }) => (
                <li key={channel + recipient}>
                  <StatusMark
                    isError={!is_delivered}
                    word={is_delivered ? 'Delivered' : 'Failed'}
                  />{' '}
                  {channel === 'mail' ? `Mail to ${recipient}` : `Webhook at ${recipient}`}
                  {problem !== null && <>. {problem}</>}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <div className={styles.buttons}>
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Send again
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  )
}
