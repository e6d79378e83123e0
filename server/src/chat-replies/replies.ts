import { limits as published } from '@assay/contract/limits.ts'
import { Unavailable } from '../platform/failure.ts'
import type { Log } from '../platform/log.ts'
import { openMemberBudget } from '../platform/member-budget.ts'
import type { Notifications } from '../platform/notifications.ts'
import type { Requester } from '../platform/requester.ts'
import { openRepliesElsewhere, type RepliesElsewhere } from './replies-elsewhere.ts'
import type { PreparedTurn } from './reply-turn.ts'
import {
  type ReplyLimits,
  type RunningReply,
  type WritingReply,
  writeReply,
} from './running-reply.ts'

/*
 * The replies that this process writes. They do not depend on their readers: one that nobody reads is written to its end
 * and stored.
 */

export interface Replies {
  /**
   * Before anything is stored. `contextLength`: of what the model reads, which stays in memory until the reply ends. Throws
   * Unavailable when too many are written, or too long ones, or the service stops.
   */
  reserve(requester: Requester, contextLength: number): ReplyPlace
  /** The reply of the user that is being written. */
  find(userId: string, messageId: string): RunningReply | undefined
  /** Those that other processes write. */
  readonly elsewhere: RepliesElsewhere
  /** Stops those that are sealed for keys of the user in the organization. Resolves when they are stored. */
  stopSealed(userId: string, organizationId: string): Promise<void>
  /** Interrupts all, and stores what came. */
  stop(): Promise<void>
}

/** Use one of both, once. */
export interface ReplyPlace {
  start(turn: PreparedTurn): RunningReply
  release(): void
}

const usualLimits: ReplyLimits = {
  replyMs: published.chatReplySeconds.value * 1000,
  replyLength: published.chatReplyLength.value,
  renewMs: 10_000,
  readElsewhereMs: 400,
  disconnectedMs: 2_000,
  keysMs: 1_000,
  titleMs: 3_000,
  retryMs: 1_000,
  unavailableMs: 120_000,
}

export interface RepliesPorts {
  readonly notifications: Notifications
  readonly log: Log
}

export function openReplies(ports: RepliesPorts, changed: Partial<ReplyLimits> = {}): Replies {
  const { notifications, log } = ports
  const limits = { ...usualLimits, ...changed }
  const running = new Map<string, { readonly turn: PreparedTurn; readonly reply: WritingReply }>()
  const take = openBudgets()
  let isStopping = false

  const findWriting = (userId: string, messageId: string) => {
    const found = running.get(messageId)
    return found?.turn.userId === userId ? found.reply : undefined
  }
  const elsewhere = openRepliesElsewhere(notifications, {
    readElsewhere: (userId, messageId) => findWriting(userId, messageId)?.readElsewhere(),
    stop: (userId, messageId) => findWriting(userId, messageId)?.stop(),
  })

  const start = (turn: PreparedTurn, release: () => void) => {
    const onStored = () => elsewhere.stored(turn.userId, turn.messageId)
    const { isConnected } = elsewhere
    const reply = writeReply(turn, { limits, isConnected, onStored, log })
    running.set(turn.messageId, { turn, reply })
    // Interrupted after it was reserved.
    if (isStopping) reply.interrupt()
    void reply.ended.finally(() => {
      running.delete(turn.messageId)
      release()
    })
    return reply
  }
  return {
    reserve(requester, contextLength) {
      if (isStopping) throw new Unavailable('The service is stopping. Try again shortly.', 1)
      const release = take(requester, contextLength)
      return { start: (turn) => start(turn, release), release }
    },

    find: findWriting,
    elsewhere,

    async stopSealed(userId, organizationId) {
      const sealed = [...running.values()].filter(
        ({ turn }) => turn.userId === userId && turn.sealedFor === organizationId,
      )
      for (const { reply } of sealed) reply.stop()
      await Promise.all(sealed.map(({ reply }) => reply.ended))
    },

    async stop() {
      isStopping = true
      const replies = [...running.values()].map(({ reply }) => reply)
      for (const reply of replies) reply.interrupt()
      await Promise.all(replies.map(({ ended }) => ended))
      elsewhere.stopListening()
    },
  }
}

/** Of the replies that are written at once, and of what their models read. */
function openBudgets() {
  const budget = openMemberBudget({
    total: published.chatReplies.value,
    ofOrganization: published.chatRepliesOfOrganization.value,
    ofUser: published.chatRepliesOfUser.value,
    refusal: 'Too many replies are being written. Stop one, or try again shortly.',
  })
  const contexts = openMemberBudget({
    total: published.chatContextLength.value,
    ofOrganization: published.chatContextLengthOfOrganization.value,
    ofUser: published.chatContextLengthOfUser.value,
    refusal: 'Too many long conversations are being answered. Stop one, or try again shortly.',
  })
  /** Returns what releases it. */
  return (requester: Requester, contextLength: number) => {
    const releaseReply = budget.take(requester)
    try {
      const releaseContext = contexts.take(requester, contextLength)
      return () => {
        releaseReply()
        releaseContext()
      }
    } catch (error) {
      releaseReply()
      throw error
    }
  }
}
