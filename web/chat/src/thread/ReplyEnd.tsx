import type { ConversationMessage } from '@assay/contract/conversations.ts'
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle, IconRefresh } from '@tabler/icons-react'
import { describeEnd } from './describe-end.ts'
import styles from './thread.module.css'
import { useRegenerate } from './use-regenerate.ts'

interface Props {
  readonly message: ConversationMessage
}

/** How a reply ended, unless it is complete, and what to do next. */
export function ReplyEnd({ message }: Props) {
  const regenerate = useRegenerate(message)
  const end = describeEnd(message)
  if (end === undefined) return null
  const { text, isFailure } = end
  return (
    <Alert
      className={styles.end}
      // The end of a reply is announced once, when it comes: see ReplyAnnouncer.
      role="note"
      color={isFailure ? 'red' : 'gray'}
      p="xs"
      icon={isFailure ? <IconAlertTriangle size={16} /> : <IconInfoCircle size={16} />}
    >
      <div className={styles.endText}>
        <span>{text}</span>
        {isFailure && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} />}
            disabled={regenerate === undefined}
            onClick={regenerate}
          >
            Try again
          </Button>
        )}
      </div>
    </Alert>
  )
}
