import { useAuiEvent, useAuiState } from '@assistant-ui/react'
import { useState } from 'react'
import { useThreadContext } from './thread-context.ts'
import { useThreadState } from './use-thread-runtime.ts'

/** Announces the beginning and the end of replies to assistive technology, not every token. */
export function ReplyAnnouncer() {
  const isRunning = useAuiState(({ thread }) => thread.isRunning)
  const { held, refused } = useThreadState(useThreadContext().thread)
  const [hasRun, setHasRun] = useState(false)
  useAuiEvent('thread.runEnd', () => setHasRun(true))
  // A message that was not sent has no reply.
  const hasEnded = hasRun && held === undefined && refused === undefined
  return (
    <div role="status" className="visually-hidden">
      {isRunning ? 'The model is writing a reply.' : hasEnded ? 'The reply has ended.' : ''}
    </div>
  )
}
