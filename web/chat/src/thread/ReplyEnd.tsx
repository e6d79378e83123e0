import type { ConversationMessage } from '@assay/contract/conversations.ts'
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle, IconRefresh } from '@tabler/icons-react'
import styles from './thread.module.css'
import { useRegenerate } from './use-regenerate.ts'

interface Props {
  readonly message: ConversationMessage
}

interface End {
  readonly text: string
  readonly isFailure: boolean
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

function describeEnd({ status, finish_reason, problem }: ConversationMessage): End | undefined {
  switch (status) {
    case 'failed':
      return { text: problem ?? 'The model did not reply.', isFailure: true }
    case 'interrupted':
      return {
        text:
          problem ?? 'The service stopped while this reply was being written, so it is incomplete.',
        isFailure: true,
      }
    case 'aborted':
      return { text: 'You stopped this reply.', isFailure: false }
    case 'complete':
      return describeFinish(finish_reason)
    case 'streaming':
  }
}

function describeFinish(reason: ConversationMessage['finish_reason']): End | undefined {
  if (reason === 'length') {
    const text = 'The reply reached its length limit. Ask the model to continue.'
    return { text, isFailure: false }
  }
  if (reason === 'filter') {
    const text = "The provider's content filter stopped the reply. Rephrase the message."
    return { text, isFailure: false }
  }
}
