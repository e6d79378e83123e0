import type { Message } from '@assay/contract/conversation.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Turn } from '../api/trace-sessions.ts'
import { MessageList } from './MessageList.tsx'
import { Messages } from './Messages.tsx'
import styles from './turn.module.css'
import { parseTurnMessages, splitHistory, withoutAnswer } from './turn-messages.ts'

/** Long texts are collapsed to keep many turns readable. */
const collapseAt = 1200

interface Props {
  readonly turn: Pick<UseQueryResult<Turn>, 'data' | 'error' | 'refetch'>
}

/** What a trace was asked and what it answered. */
export function TurnMessages({ turn }: Props) {
  if (turn.data !== undefined) return <LoadedMessages turn={turn.data} />
  if (turn.error !== null) {
    return (
      <p className={styles.failed} role="alert">
        Could not load the messages. {turn.error.message}{' '}
        <Button variant="default" size="compact-xs" onClick={() => void turn.refetch()}>
          Retry
        </Button>
      </p>
    )
  }
  return (
    <div className={styles.waiting} role="status" aria-label="Loading">
      <Skeleton height={56} />
      <Skeleton height={56} />
    </div>
  )
}

function LoadedMessages({ turn: { span, isRoot, problem } }: { readonly turn: Turn }) {
  const input = parseTurnMessages(span?.input, 'user')
  const output = parseTurnMessages(span?.output, 'assistant')
  const { earlier, current } = splitHistory(withoutAnswer(input, output))
  const isSilent = (span?.input ?? null) === null && (span?.output ?? null) === null
  return (
    <div className={styles.messages}>
      {span !== undefined && !isRoot && !isSilent && (
        <p className={styles.from}>
          Taken from span <code>{span.name}</code> (the root has no input or output).
        </p>
      )}
      {isSilent && <p className={styles.from}>No input or output.</p>}
      <Earlier messages={earlier} />
      {!isSilent && (
        <Messages
          conversation={input && { ...input, messages: current }}
          value={span?.input}
          label="input"
          collapseAt={collapseAt}
        />
      )}
      {!isSilent && (
        <Messages
          conversation={output}
          value={span?.output}
          label="output"
          collapseAt={collapseAt}
        />
      )}
      {problem !== undefined && (
        <p className={styles.problem}>
          <IconAlertTriangle size={15} aria-hidden /> {problem}
        </p>
      )}
    </div>
  )
}

/** Collapsed, because it repeats earlier traces or is a system message. */
function Earlier({ messages }: { readonly messages: readonly Message[] }) {
  if (messages.length === 0) return null
  return (
    <details className={styles.earlier}>
      <summary>{countOf(messages.length, 'earlier message')}</summary>
      <MessageList messages={messages} collapseAt={collapseAt} />
    </details>
  )
}
