import type { AlertRule } from '@assay/contract/alerts.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useQuery } from '@tanstack/react-query'
import { alertTestQuery } from '../../api/alerts.ts'
import { FormDialog } from '../../page/FormDialog.tsx'
import { TestRun } from '../../page/TestRun.tsx'
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
  const query = useQuery(alertTestQuery(rule.project_id, rule.id))
  return (
    <TestRun
      query={query}
      waitingText="Sending a test message…"
      againLabel="Send again"
      onClose={onClose}
    >
      {({ deliveries }) => (
        <ul className={styles.outcomes}>
          {deliveries.map(({ channel, recipient, is_delivered, problem }) => (
            <li key={channel + recipient}>
              <StatusMark isError={!is_delivered} word={is_delivered ? 'Delivered' : 'Failed'} />{' '}
              {channel === 'mail' ? `Mail to ${recipient}` : `Webhook at ${recipient}`}
              {problem !== null && <>. {problem}</>}
            </li>
          ))}
        </ul>
      )}
    </TestRun>
  )
}
