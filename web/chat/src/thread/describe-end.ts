import type { ConversationMessage } from '@assay/contract/conversations.ts'

interface End {
  readonly text: string
  readonly isFailure: boolean
}

/** How a reply ended; undefined if it is complete or being written. */
export function describeEnd({
  status,
  finish_reason,
  problem,
}: ConversationMessage): End | undefined {
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
