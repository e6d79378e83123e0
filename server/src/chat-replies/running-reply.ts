import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatEvent } from '@assay/contract/chat-stream.ts'
import { ModelCallError } from '../model-gateway/model-call.ts'
import type { ReplyPart } from '../model-gateway/reply-call.ts'
import { Unavailable } from '../platform/failure.ts'
import type { Log } from '../platform/log.ts'
import { openRepeatedFailures } from '../platform/repeated-failures.ts'
import { type EventList, openEventList } from './event-list.ts'
import { appendEnd, appendUsage } from './reply-events.ts'
import type { EndedReply, PreparedTurn, ReplyText } from './reply-turn.ts'
import { openStoreTimes, type StoreLimits, type StoreTimes } from './store-times.ts'

/*
 * Writes one reply: reads the model, renews the lease of the stored row, and stores what came at every kind of end.
 */

export interface RunningReply {
  /** From the first event on. Ends early when the signal aborts, or the reader is too far behind. */
  read(signal: AbortSignal): AsyncIterable<ChatEvent>
  /** Closes the connection to the provider, and keeps what came. */
  stop(): void
  /** Whether it was stopped, and ends in a moment. */
  readonly isStopping: boolean
  /** Resolves when the reply is stored. */
  readonly ended: Promise<void>
}

export interface ReplyLimits extends StoreLimits {
  readonly replyMs: number
  /** Of text and reasoning. */
  readonly replyLength: number
  /** Between checks of the keys that a reply is sealed for. */
  readonly keysMs: number
  /** How long the end of a reply waits for its title. */
  readonly titleMs: number
  /** How long a reply that has ended waits for a database that is not available. */
  readonly unavailableMs: number
}

/** Why a reply ends before its model ends it. */
type Cause = 'stopped' | 'time' | 'length' | 'shutdown'

export interface WritingReply extends RunningReply {
  /** The service stops. */
  interrupt(): void
  /** Somebody reads it in another process, now and for some seconds. */
  readElsewhere(): void
}

export interface ReplyPorts {
  readonly limits: ReplyLimits
  /** Whether other processes can send that they read or stop the reply. */
  readonly isConnected: () => boolean
  /** For those who read the reply in another process: its row has more. */
  readonly onStored: () => void
  readonly log: Log
}

export function writeReply(turn: PreparedTurn, ports: ReplyPorts): WritingReply {
  const events = openEventList()
  const ending = openEnding()
  const shutdown = new AbortController()
  const times = openStoreTimes(ports.limits)
  const writing: Writing = { ...ports, events, ending, times, shutdown: shutdown.signal }
  const ended = run(turn, writing).finally(() => {
    events.close()
    if (times.isReadElsewhere()) ports.onStored()
  })
  return {
    read: events.read,
    stop: () => ending.end('stopped'),
    interrupt() {
      ending.end('shutdown')
      shutdown.abort()
    },
    readElsewhere: times.readElsewhere,
    get isStopping() {
      return ending.cause !== undefined
    },
    ended,
  }
}

interface Ending {
  readonly signal: AbortSignal
  /** The first one. */
  readonly cause: Cause | undefined
  end(cause: Cause): void
}

function openEnding(): Ending {
  const control = new AbortController()
  let first: Cause | undefined
  return {
    signal: control.signal,
    get cause() {
      return first
    },
    end(cause) {
      if (first !== undefined) return
      first = cause
      control.abort()
    },
  }
}

interface Writing extends ReplyPorts {
  readonly events: EventList
  readonly ending: Ending
  readonly times: StoreTimes
  /** Aborts when the service stops. */
  readonly shutdown: AbortSignal
}

/** Never rejects. */
async function run(turn: PreparedTurn, writing: Writing): Promise<void> {
  const { events, ending, limits } = writing
  const { conversationId, messageId, parentId, traceId, model } = turn
  events.append({
    ...{ type: 'start', conversation_id: conversationId, message_id: messageId },
    ...{ parent_id: parentId, model, trace_id: traceId },
  })
  for (const message of turn.notices) events.append({ type: 'notice', message })
  const timer = setTimeout(() => ending.end('time'), limits.replyMs)
  const title = openTitle(turn, writing)
  const ended = await write(turn, writing)
  clearTimeout(timer)
  const { usage, costUsd = null } = ended.report ?? {}
  const { tokensIn = null, tokensOut = null } = usage ?? {}
  appendUsage({ status: ended.status, tokensIn, tokensOut, costUsd }, events)
  await title.end(ended.status === 'complete')
  const isStored = await store(ended, turn, writing)
  appendEnd(isStored ? ended : { ...ended, ...notStored }, turn, events)
}

const notStored = {
  status: 'failed',
  finishReason: null,
  problem: 'The reply could not be stored. Try again.',
} as const

/** What came so far. */
interface Written {
  content: string
  reasoning: string
}

async function write(turn: PreparedTurn, writing: Writing): Promise<EndedReply> {
  const { events, ending, limits, log } = writing
  const written: Written = { content: '', reasoning: '' }
  const endChecks = keepChecking(turn, written, writing)
  let last: Extract<ReplyPart, { type: 'end' }> | undefined
  let error: unknown
  try {
    for await (const part of turn.write(ending.signal)) {
      if (ending.cause !== undefined) break
      if (part.type === 'end') {
        last = part
        break
      }
      const room = limits.replyLength - lengthOf(written)
      const delta = part.delta.slice(0, room)
      written[part.type === 'text' ? 'content' : 'reasoning'] += delta
      if (delta !== '') events.append({ type: part.type, delta })
      if (part.delta.length >= room) ending.end('length')
    }
  } catch (thrown) {
    error = thrown
  } finally {
    endChecks()
  }
  const report = last?.report ?? (error instanceof ModelCallError ? error.report : undefined)
  const ended = { ...written, report }
  const { cause } = ending
  if (cause !== undefined) return { ...ended, ...endings[cause] }
  if (last !== undefined)
    return { ...ended, status: 'complete', finishReason: last.finish, problem: null }
  if (error instanceof ModelCallError) {
    if (error.kind === 'timeout') return { ...ended, ...endings.time }
    return { ...ended, status: 'failed', finishReason: null, problem: error.message }
  }
  log.error('a reply failed', error ?? new Error('The call of the model ended without an end.'), {
    messageId: turn.messageId,
  })
  const problem = 'An unexpected error occurred.'
  return { ...ended, status: 'failed', finishReason: null, problem }
}

const endings = {
  stopped: { status: 'aborted', finishReason: 'abort', problem: null },
  time: {
    status: 'failed',
    finishReason: 'timeout',
    problem: 'The reply took too long and was ended.',
  },
  length: { status: 'complete', finishReason: 'length', problem: null },
  shutdown: { status: 'interrupted', finishReason: null, problem: null },
} as const

/** Between checks whether the text is to be stored. */
const tickMs = 50

const lengthOf = ({ content, reasoning }: ReplyText) => content.length + reasoning.length

/** What is repeated while a reply is written. Returns what ends it. */
function keepChecking(turn: PreparedTurn, written: ReplyText, writing: Writing): () => void {
  const { ending, limits, times, isConnected, onStored, log } = writing
  const { messageId } = turn
  /** Stops the reply if `mayContinue` returns false; undefined: there was nothing to check. */
  const repeat = (
    mayContinue: () => Promise<boolean | undefined>,
    everyMs: number,
    failure: string,
  ) => {
    let isChecking = false
    const failures = openRepeatedFailures(log, failure)
    const check = async () => {
      if (isChecking) return
      isChecking = true
      try {
        const isContinued = await mayContinue()
        if (isContinued === undefined) return
        failures.onSuccess()
        if (!isContinued) ending.end('stopped')
      } catch (error) {
        failures.onFailure(error, { messageId })
      } finally {
        isChecking = false
      }
    }
    return setInterval(() => void check(), everyMs)
  }
  const lease = 'the lease of a reply could not be renewed'
  const renew = async () => {
    // What is stored of a sealed reply cannot be read before its end.
    const length = turn.sealedFor === undefined ? lengthOf(written) : 0
    if (!times.isDue(length, isConnected())) return undefined
    const mayContinue = await turn.renew(written).catch((error: unknown) => {
      times.failed()
      throw error
    })
    if (times.isReadElsewhere()) onStored()
    return mayContinue
  }
  const timers = [repeat(renew, Math.min(tickMs, limits.renewMs), lease)]
  const hasKeys = turn.hasKeys?.bind(turn)
  const keys = 'the keys of a reply could not be checked'
  if (hasKeys !== undefined) timers.push(repeat(hasKeys, limits.keysMs, keys))
  return () => timers.forEach((timer) => clearInterval(timer))
}

function openTitle(turn: PreparedTurn, { events, ending, limits }: Writing) {
  const control = new AbortController()
  const signal = AbortSignal.any([control.signal, ending.signal])
  const written = turn.writeTitle?.(signal).then((title) => events.append({ type: 'title', title }))
  return {
    /** Resolves when the title is in the list. */
    async end(waits: boolean): Promise<void> {
      const timer = setTimeout(() => control.abort(), waits ? limits.titleMs : 0)
      await written
      clearTimeout(timer)
    },
  }
}

const storeAttempts = 3

/** False when it cannot be stored. Waits for a database that is not available, unless the service stops. */
async function store(
  ended: EndedReply,
  turn: PreparedTurn,
  { limits, shutdown, log }: Writing,
): Promise<boolean> {
  const waitUntil = performance.now() + limits.unavailableMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      await turn.finish(ended)
      return true
    } catch (error) {
      const isLast = attempt >= storeAttempts
      if (attempt <= storeAttempts)
        log.error('a reply could not be stored', error, { messageId: turn.messageId })
      const waits = error instanceof Unavailable && performance.now() < waitUntil
      if (isLast && (!waits || shutdown.aborted)) return false
      await sleep(limits.retryMs)
    }
  }
}
