import { useAuiEvent, useAuiState } from '@assistant-ui/react'
import { useState } from 'react'

/** Announces the beginning and the end of replies to assistive technology, not every token. */
export function ReplyAnnouncer() {
  const isRunning = useAuiState(({ thread }) => thread.isRunning)
  const [hasRun, setHasRun] = useState(false)
  useAuiEvent('thread.runEnd', () => setHasRun(true))
  return (
    <div role="status" className="visually-hidden">
      {isRunning ? 'The model is writing a reply.' : hasRun ? 'The reply has ended.' : ''}
    </div>
  )
}
