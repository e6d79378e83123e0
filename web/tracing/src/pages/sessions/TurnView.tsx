import type { Message } from '@assay/contract/conversation.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { formatDuration } from '@assay/ui/time-format.ts'
import { useNearViewport } from '@assay/ui/use-near-viewport.ts'
import { Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Turn, turnQuery } from '../../api/trace-sessions.ts'
import { Messages } from '../../conversation/Messages.tsx'
import { MessageView } from '../../conversation/MessageView.tsx'
import { parseTurnMessages, splitHistory, withoutAnswer } from '../../conversation/turn-messages.ts'
import { CostText } from '../../parts/CostText.tsx'
import { TraceStatus } from '../../parts/TraceStatus.tsx'
import styles from './session.module.css'

/** Long texts are collapsed to keep many turns readable. */
const collapseAt = 1200

interface Props {
  readonly trace: Trace
}

/** One trace of a session. Its messages are fetched when it comes near the viewport. */
export function TurnView({ trace }: Props) {
  const { place, isNearViewport } = useNearViewport<HTMLLIElement>()
  const turn = useQuery({
    ...turnQuery(trace),
    enabled: isNearViewport,
    placeholderData: (last) => last,
  })
  return (
    <li ref={place} className={styles.turn}>
      <header className={styles.turnHead}>
        <Link
          to="/p/$projectId/traces/$traceId"
          params={{ projectId: trace.project_id, traceId: trace.trace_id }}
          className={styles.name}
        >
          {trace.root_name === '' ? trace.trace_id : trace.root_name}
        </Link>
        <TraceStatus trace={trace} />
        <span className={styles.facts}>
          <TimeText at={trace.started_at} withAge />
          <span>{formatDuration(trace.duration_ms)}</span>
          <CostText usd={trace.cost_usd} calls={trace} />
        </span>
      </header>
      {turn.data !== undefined ? (
        <TurnMessages turn={turn.data} />
      ) : turn.isError ? (
        <p className={styles.failed} role="alert">
          Could not load the messages. {turn.error.message}{' '}
          <Button variant="default" size="compact-xs" onClick={() => void turn.refetch()}>
            Retry
          </Button>
        </p>
      ) : (
        <div className={styles.waiting} role="status" aria-label="Loading">
          <Skeleton height={56} />
          <Skeleton height={56} />
        </div>
      )}
    </li>
  )
}

function TurnMessages({ turn: { span, isRoot, problem } }: { readonly turn: Turn }) {
  const input = parseTurnMessages(span?.input, 'user')
  const output = parseTurnMessages(span?.output, 'assistant')
  const { earlier, current } = splitHistory(withoutAnswer(input, output))
  const isSilent = (span?.input ?? null) === null && (span?.output ?? null) === null
  return (
    <div className={styles.messages}>
      {span !== undefined && !isRoot && (
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
      {messages.map((message, at) => (
        // Messages have no IDs and are never reordered.
        <MessageView key={at} message={message} collapseAt={collapseAt} />
      ))}
    </details>
  )
}
