import { useAuiEvent, useAuiState } from '@assistant-ui/react'
import { useState } from 'react'
import { describeEnd } from './describe-end.ts'
import { findMessage } from './message-tree.ts'
import { useThreadContext } from './thread-context.ts'
import { useThreadState } from './use-thread-runtime.ts'

/** Announces the beginning and the end of replies to assistive technology, not every token. */
export function ReplyAnnouncer() {
  const { thread } = useThreadContext()
  const isRunning = useAuiState(({ thread: { isRunning: runs } }) => runs)
  const { held, refused } = useThreadState(thread)
  const [end, setEnd] = useState('')
  useAuiEvent('thread.runEnd', () => {
    const { tree } = thread.getState()
    const reply = findMessage(tree, tree.selectedId ?? '')
    setEnd((reply && describeEnd(reply)?.text) ?? 'The reply has ended.')
  })
  // A message that was not sent has no reply.
  const hasEnded = held === undefined && refused === undefined
  return (
    <div role="status" className="visually-hidden">
      {isRunning ? 'The model is writing a reply.' : hasEnded ? end : ''}
    </div>
  )
}
