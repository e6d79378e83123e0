import type { ChatEvent } from '@assay/contract/chat-stream.ts'
import type { ConversationMessage } from '@assay/contract/conversations.ts'
import { unreadable } from '../api/chat-conversation.ts'
import { followReply, type ReplyOutcome, type ReplySource } from './follow-reply.ts'
import { type LiveReply, openLiveReply } from './live-reply.ts'
import {
  addMessage,
  buildTree,
  changeMessage,
  emptyTree,
  findMessage,
  type MessageTree,
  renameMessage,
  selectedBranch,
  selectLeaf,
  withdrawMessage,
} from './message-tree.ts'
import type {
  SentMessage,
  StoredConversation,
  ThreadPorts,
  ThreadState,
  Turn,
} from './thread-state.ts'

/*
 * A conversation that a page shows. It outlives the page: a message that was sent is followed until the service has
 * accepted it, and its reply until no page has shown the conversation for a moment.
 */

/** A reply that is read. */
interface Following {
  /** Of the reply in the tree; of the service after the start. */
  id: string
  isStarted: boolean
  isStopRequested: boolean
  readonly turn: Turn | undefined
  /** The end of the branch that was shown before. */
  readonly shownBefore: string | null
  readonly reply: LiveReply
  readonly reading: AbortController
}

interface FollowOptions {
  readonly turn?: Turn
  readonly shownBefore?: string | null
  /** A reply of the service. */
  readonly joined?: ConversationMessage
}

type StartEvent = Extract<ChatEvent, { type: 'start' }>

let threads = 0

export class ConversationThread {
  /** Stays the same when a new conversation gets its id. */
  readonly key: number
  readonly #ports: ThreadPorts
  readonly #listeners = new Set<() => void>()
  readonly #following = new Set<Following>()
  #pages = 0
  #isLoaded = false
  #state: ThreadState

  constructor(conversationId: string | undefined, ports: ThreadPorts) {
    threads += 1
    this.key = threads
    this.#ports = ports
    this.#state = {
      conversationId,
      tree: emptyTree,
      steppedTo: undefined,
      live: new Map(),
      stopping: new Set(),
      notices: new Map(),
      edits: new Map(),
      expanded: new Set(),
      held: undefined,
      refused: undefined,
    }
  }

  get isShown(): boolean {
    return this.#pages > 0
  }

  readonly getState = (): ThreadState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads replies while a page is attached. Returns the function that detaches it. */
  attach(): () => void {
    this.#pages += 1
    this.#joinShown()
    return () => {
      this.#pages -= 1
      setTimeout(() => this.#leave(), this.#ports.leaveAfterMs)
    }
  }

  /** Takes what the service has. Replies that are read here, and messages it does not have yet, stay as they are. */
  load(stored: StoredConversation): void {
    const ours = this.#state.tree.messages
    const known = new Set(stored.messages.map(({ id }) => id))
    const readHere = new Map(
      ours
        .filter(({ id }) => this.#state.live.has(id) || !known.has(id))
        .map((one) => [one.id, one]),
    )
    const messages = [
      ...stored.messages.filter(({ id }) => !readHere.has(id)),
      ...readHere.values(),
    ]
    const selected = this.#isLoaded ? this.#state.tree.selectedId : stored.selected_message_id
    this.#isLoaded = true
    this.#change({ conversationId: stored.id, tree: buildTree(messages, selected) })
    this.#joinShown()
  }

  send(message: SentMessage): void {
    const { parentId, modelConfigId } = message
    this.#begin(this.#newTurn({ parentId, modelConfigId, message, isOverride: false }))
  }

  /** Requests another reply to a message. */
  regenerate(parentId: string, modelConfigId: string | undefined): void {
    this.#begin(this.#newTurn({ parentId, modelConfigId, message: undefined, isOverride: false }))
  }

  /** Repeats the request that was held back, which is recorded. */
  override(): void {
    const { held } = this.#state
    if (held !== undefined) this.#begin(this.#newTurn({ ...held.turn, isOverride: true }))
  }

  /** Repeats the request that was refused. */
  retry(): void {
    const { refused } = this.#state
    if (refused !== undefined) this.#begin(refused.turn)
  }

  /** Shows a long message whole, or folds it. */
  setExpanded(messageId: string, isExpanded: boolean): void {
    const expanded = new Set(this.#state.expanded)
    if (isExpanded) expanded.add(messageId)
    else expanded.delete(messageId)
    this.#change({ expanded })
  }

  /** Opens the editor of a message of the person. */
  beginEdit(messageId: string): void {
    const message = findMessage(this.#state.tree, messageId)
    if (message === undefined || isLocal(messageId)) return
    const draft = { text: message.content, attachments: message.attachments }
    this.#change({ edits: new Map(this.#state.edits).set(messageId, draft) })
  }

  cancelEdit(messageId: string): void {
    this.#change({ edits: this.#editsWithout(messageId) })
  }

  /** Closes what is shown about a message that was held back or refused. */
  dismiss(): void {
    this.#change({ held: undefined, refused: undefined })
  }

  stop(replyId: string): void {
    this.#change({ stopping: new Set([...this.#state.stopping, replyId]) })
    for (const following of this.#following) {
      if (following.id === replyId) following.isStopRequested = true
    }
    const isStarted = [...this.#following].some(({ id, isStarted: has }) => id === replyId && has)
    if (isStarted) this.#stopStarted(replyId)
  }

  /** Shows the branch that a message is on, which is a version before (-1) or after (1) the one that is shown. */
  select(messageId: string, step: number): void {
    const { tree, conversationId } = this.#state
    const next = selectLeaf(tree, messageId)
    if (next === tree) return
    this.#change({ tree: next, steppedTo: { id: messageId, step } })
    this.#joinShown()
    if (conversationId !== undefined) this.#remember(next.selectedId)
  }

  #newTurn(turn: Omit<Turn, 'conversationId' | 'clientMessageId'>): Turn {
    const { conversationId } = this.#state
    return { ...turn, conversationId, clientMessageId: this.#ports.newId() }
  }

  #begin(turn: Turn): void {
    const { message, clientMessageId } = turn
    const id = `local-reply-${clientMessageId}`
    const questionId = message === undefined ? turn.parentId : `local-${clientMessageId}`
    let { tree } = this.#state
    const shownBefore = tree.selectedId
    if (message !== undefined && questionId !== null) {
      const content = { content: message.text, attachments: [...message.attachments] }
      tree = addMessage(tree, this.#local(tree, 'user', questionId, turn.parentId, content))
    }
    tree = addMessage(tree, this.#local(tree, 'assistant', id, questionId, { status: 'streaming' }))
    const edits = this.#editsWithout(message?.editedId)
    this.#change({ tree, edits, held: undefined, refused: undefined })
    const open = (signal: AbortSignal) => this.#ports.send(turn, signal)
    void this.#follow(id, { open, join: this.#ports.join }, { turn, shownBefore })
  }

  #editsWithout(messageId: string | undefined): ThreadState['edits'] {
    return new Map([...this.#state.edits].filter(([id]) => id !== messageId))
  }

  /** A message that the service does not have yet. It comes after all others, whatever the clocks say. */
  #local(
    tree: MessageTree,
    role: ConversationMessage['role'],
    id: string,
    parentId: string | null,
    changes: Partial<ConversationMessage>,
  ): ConversationMessage {
    const times = tree.messages.map(({ created_at }) => Date.parse(created_at) + 1)
    const time = times.reduce((one, other) => Math.max(one, other), this.#ports.nowMs())
    return {
      ...{ id, role, parent_id: parentId, content: '', status: 'complete', attachments: [] },
      created_at: new Date(time).toISOString(),
      ...changes,
    }
  }

  /** Joins the reply at the end of the branch that is shown, once. */
  #joinShown(): void {
    const last = selectedBranch(this.#state.tree).at(-1)
    if (this.#pages === 0 || last?.status !== 'streaming' || this.#state.live.has(last.id)) return
    void this.#follow(last.id, { join: this.#ports.join }, { joined: last })
  }

  async #follow(
    id: string,
    source: ReplySource,
    { turn, shownBefore = null, joined }: FollowOptions,
  ): Promise<void> {
    const reply = openLiveReply(this.#ports.nextFrame, {
      text: joined?.content ?? '',
      reasoning: joined?.reasoning ?? '',
    })
    const isStarted = joined !== undefined
    const reading = new AbortController()
    const following: Following = {
      ...{ id, isStarted, isStopRequested: false },
      ...{ turn, shownBefore, reply, reading },
    }
    this.#following.add(following)
    this.#change({ live: new Map(this.#state.live).set(id, reply) })
    const reader = {
      onConnection: reply.restart,
      onLost: reply.setReconnecting,
      onEvent: (event: ChatEvent) => this.#receive(following, event),
    }
    const outcome = await followReply(source, joined?.id, reader, reading.signal)
    this.#following.delete(following)
    this.#end(following, outcome)
  }

  #receive(following: Following, event: ChatEvent): void {
    if (event.type === 'start') this.#start(following, event)
    const { conversationId } = this.#state
    if (event.type === 'title' && conversationId !== undefined) {
      this.#ports.onTitle(conversationId, event.title)
    }
    following.reply.apply(event)
  }

  #start(following: Following, event: StartEvent): void {
    const { turn, id, reply } = following
    following.id = event.message_id
    const isNew = this.#state.conversationId === undefined
    let { tree } = this.#state
    const expanded = new Set(this.#state.expanded)
    if (turn?.message !== undefined) {
      const localId = `local-${turn.clientMessageId}`
      tree = renameMessage(tree, localId, event.parent_id)
      if (expanded.delete(localId)) expanded.add(event.parent_id)
    }
    tree = renameMessage(tree, id, event.message_id)
    tree = changeMessage(tree, event.message_id, { model: event.model, trace_id: event.trace_id })
    const live = new Map(this.#state.live)
    live.delete(id)
    live.set(event.message_id, reply)
    const stopping = new Set(this.#state.stopping)
    if (stopping.delete(id)) stopping.add(event.message_id)
    this.#change({ conversationId: event.conversation_id, tree, live, stopping, expanded })
    if (following.isStarted) return
    following.isStarted = true
    if (isNew) {
      this.#isLoaded = true
      this.#ports.onBegin(event.conversation_id)
    } else this.#remember(tree.selectedId)
    if (following.isStopRequested) this.#stopStarted(event.message_id)
    if (this.#pages === 0) setTimeout(() => this.#leave(), this.#ports.leaveAfterMs)
  }

  #stopStarted(replyId: string): void {
    this.#ports.stop(replyId).catch(() => {
      const stopping = new Set(this.#state.stopping)
      stopping.delete(replyId)
      this.#change({ stopping })
    })
  }

  #end(
    { id, isStarted, shownBefore, reply, ...following }: Following,
    outcome: ReplyOutcome,
  ): void {
    // What the service has accepted is not withdrawn, also if its reply cannot be read any more.
    const turn = isStarted ? undefined : following.turn
    const live = new Map(this.#state.live)
    live.delete(id)
    const stopping = new Set(this.#state.stopping)
    stopping.delete(id)
    const received = reply.getReceived()
    let { tree } = this.#state
    if (outcome.type === 'held' || (outcome.type === 'refused' && turn !== undefined)) {
      const wasShown = tree.selectedId === id
      tree = withdrawMessage(tree, id)
      if (turn?.message !== undefined) {
        tree = withdrawMessage(tree, `local-${turn.clientMessageId}`)
      }
      if (wasShown && shownBefore !== null) tree = selectLeaf(tree, shownBefore)
    } else {
      tree = changeMessage(tree, id, {
        content: received.text,
        ...(received.reasoning === '' ? {} : { reasoning: received.reasoning }),
        ...(received.tokensIn === undefined ? {} : { tokens_in: received.tokensIn }),
        ...(received.tokensOut === undefined ? {} : { tokens_out: received.tokensOut }),
        ...(received.costUsd === undefined ? {} : { cost_usd: received.costUsd }),
        ...toEnd(outcome, received.text),
      })
    }
    const { notices } = this.#state
    this.#change({
      ...{ tree, live, stopping },
      notices: received.notices.length === 0 ? notices : new Map(notices).set(id, received.notices),
      ...this.#toShown(outcome, turn),
    })
    const { conversationId } = this.#state
    const hasEnded = outcome.type !== 'left' && !isUnreadable(outcome)
    if (hasEnded && conversationId !== undefined) this.#ports.onEnd(conversationId)
    if (this.#pages === 0) this.#leave()
  }

  #toShown(outcome: ReplyOutcome, turn: Turn | undefined): Partial<ThreadState> {
    if (turn === undefined) return {}
    const edits = this.#editsWith(turn.message)
    if (outcome.type === 'refused') return { refused: { error: outcome.error, turn }, edits }
    if (outcome.type === 'held') return { held: { turn, findings: outcome.findings }, edits }
    return {}
  }

  /** The text of an edited message that was not sent is in its editor again. */
  #editsWith(message: SentMessage | undefined): ThreadState['edits'] {
    const { edits } = this.#state
    return message?.editedId === undefined ? edits : new Map(edits).set(message.editedId, message)
  }

  #remember(messageId: string | null): void {
    const { conversationId } = this.#state
    if (conversationId === undefined || messageId === null || isLocal(messageId)) return
    // A branch that could not be remembered is not worth a message.
    this.#ports.select(conversationId, messageId).catch(() => {})
  }

  /** Ends the reading of replies, not the replies. A message that was not accepted yet is followed further. */
  #leave(): void {
    if (this.#pages > 0) return
    for (const { isStarted, reading } of this.#following) if (isStarted) reading.abort()
    const { conversationId } = this.#state
    if (this.#following.size === 0 && conversationId !== undefined) {
      this.#ports.onLeave(conversationId)
    }
  }

  #change(next: Partial<ThreadState>): void {
    this.#state = { ...this.#state, ...next }
    for (const listener of this.#listeners) listener()
  }
}

/** Whether a message has no id of the service yet. */
export const isLocal = (messageId: string) => messageId.startsWith('local-')

/** Whether only other devices can read the reply while it is written. */
const isUnreadable = (outcome: ReplyOutcome) =>
  outcome.type === 'refused' && outcome.error.code === 'FORBIDDEN'

function toEnd(outcome: ReplyOutcome, text: string): Partial<ConversationMessage> {
  if (isUnreadable(outcome)) return { status: 'complete', content: text || unreadable }
  switch (outcome.type) {
    case 'done':
      return {
        status: outcome.finishReason === 'abort' ? 'aborted' : 'complete',
        finish_reason: outcome.finishReason,
      }
    case 'failed':
      return {
        status: 'failed',
        problem: outcome.message,
        ...(outcome.isTimeout ? { finish_reason: 'timeout' as const } : {}),
      }
    // A reply that could not be joined.
    case 'refused':
      return { status: 'interrupted', problem: outcome.error.message }
    case 'held':
    case 'left':
      return {}
  }
}
