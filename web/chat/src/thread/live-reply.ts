import type { ChatEvent } from '@assay/contract/chat-stream.ts'

/*
 * A reply while it is written. Its text changes many times a second, so it is kept beside the message tree, and
 * subscribers are notified at most once per frame.
 */

export interface LiveReplyState {
  readonly text: string
  readonly reasoning: string
  readonly notices: readonly string[]
  readonly tokensIn: number | null | undefined
  readonly tokensOut: number | null | undefined
  readonly costUsd: number | null | undefined
  /** Whether the connection was lost, and another one is being opened. */
  readonly isReconnecting: boolean
}

export interface LiveReply {
  /** What is shown: at most a frame behind. */
  readonly getState: () => LiveReplyState
  readonly getReceived: () => LiveReplyState
  readonly subscribe: (listener: () => void) => () => void
  /** What arrives next repeats the reply from its beginning. */
  readonly restart: () => void
  readonly setReconnecting: () => void
  readonly apply: (event: ChatEvent) => void
}

const empty: LiveReplyState = {
  text: '',
  reasoning: '',
  notices: [],
  tokensIn: undefined,
  tokensOut: undefined,
  costUsd: undefined,
  isReconnecting: false,
}

/** `nextFrame` runs a function before the next frame is painted. */
export function openLiveReply(
  nextFrame: (act: () => void) => void,
  initial: Partial<LiveReplyState> = {},
): LiveReply {
  let received: LiveReplyState = { ...empty, ...initial }
  let shown = received
  let isScheduled = false
  const listeners = new Set<() => void>()

  function change(next: Partial<LiveReplyState>): void {
    received = { ...received, ...next }
    if (isScheduled) return
    isScheduled = true
    nextFrame(() => {
      isScheduled = false
      shown = mergeReplay(shown, received)
      for (const listener of listeners) listener()
    })
  }

  return {
    getState: () => shown,
    getReceived: () => received,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    restart() {
      received = { ...empty }
    },
    setReconnecting: () => change({ isReconnecting: true }),
    apply(event) {
      switch (event.type) {
        case 'text':
          return change({ text: received.text + event.delta, isReconnecting: false })
        case 'reasoning':
          return change({ reasoning: received.reasoning + event.delta, isReconnecting: false })
        case 'notice':
          return change({ notices: [...received.notices, event.message] })
        case 'usage':
          return change({
            tokensIn: event.tokens_in,
            tokensOut: event.tokens_out,
            costUsd: event.cost_usd,
          })
        case 'start':
          return change({ isReconnecting: false })
        case 'sealed':
        case 'title':
        case 'pii':
        case 'error':
        case 'done':
      }
    },
  }
}

/** Text that was shown stays until a replay has caught up with it. */
function mergeReplay(shown: LiveReplyState, received: LiveReplyState): LiveReplyState {
  return {
    ...received,
    text: longer(shown.text, received.text),
    reasoning: longer(shown.reasoning, received.reasoning),
    notices: received.notices.length < shown.notices.length ? shown.notices : received.notices,
  }
}

function longer(shown: string, received: string): string {
  return received.length < shown.length && shown.startsWith(received) ? shown : received
}
