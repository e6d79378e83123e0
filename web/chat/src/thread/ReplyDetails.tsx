import type { ConversationMessage } from '@assay/contract/conversations.ts'
import { formatCost, formatTokens } from '@assay/ui/number-format.ts'
import styles from './thread.module.css'
import { useThreadContext } from './thread-context.ts'

interface Props {
  readonly message: ConversationMessage
}

/** The model, tokens and cost of a reply, and its trace. */
export function ReplyDetails({ message }: Props) {
  const { traceUrl } = useThreadContext()
  const { model, trace_id, tokens_in, tokens_out, cost_usd } = message
  // The provider reported none, for example because it refused the call.
  const areTokensUnknown = tokens_in === null && tokens_out === null
  return (
    <ul className={styles.details} aria-label="About this reply">
      {model !== undefined && <li>{model}</li>}
      {tokens_in !== undefined && tokens_out !== undefined && !areTokensUnknown && (
        <li className="number" title="Input and output tokens">
          {formatTokens(tokens_in)} → {formatTokens(tokens_out)} tokens
        </li>
      )}
      {cost_usd !== undefined && !areTokensUnknown && (
        <li
          className="number"
          title={cost_usd === null ? 'Unknown: the model has no price' : `$${cost_usd}`}
        >
          {formatCost(cost_usd)}
        </li>
      )}
      {trace_id !== undefined && (
        <li>
          <a href={traceUrl(trace_id)} target="_blank" rel="noopener noreferrer">
            Trace
          </a>
        </li>
      )}
    </ul>
  )
}
