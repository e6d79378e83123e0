import type { Usage } from '../domain/span.ts'
import { type Deadline, openDeadline } from '../platform/deadline.ts'
import { type AttemptRules, type Outcome, readFailure, tryCall } from './call-attempts.ts'
import { toOptions } from './call-options.ts'
import { chargeCall, costOf } from './call-report.ts'
import { deferTexts } from './deferred-texts.ts'
import { openEventShape } from './event-shapes.ts'
import type { GatewayModel } from './gateway-model.ts'
import { openStreamingModel } from './language-model.ts'
import { type CallReport, ModelCallError } from './model-call.ts'
import type { ReplyCall, ReplyPart } from './reply-call.ts'
import { type ReceivedEnd, type ReceivedPart, readParts } from './reply-parts.ts'

/*
 * Replies: calls of models that are read while the model writes. A second attempt is possible only before the first
 * part.
 */

export async function* streamReply(
  model: GatewayModel,
  call: ReplyCall,
  rules: Omit<AttemptRules, 'time'>,
): AsyncGenerator<ReplyPart> {
  const time = openDeadline(call.signal, Date.now() + call.maxMs)
  let opened: OpenedReply | undefined
  let isCharged = false
  try {
    const send = (isPlain: boolean) => openReply(model, call, isPlain, time)
    const { result, report } = await tryCall(model, send, { ...rules, time })
    opened = result
    let hasText = false
    try {
      for (let part = opened.first; ; part = await readNext(opened.parts)) {
        call.signal.throwIfAborted()
        if (part.type === 'end') {
          isCharged = true
          yield await readEnd(model, call, part, { report: report(), hasText })
          return
        }
        hasText ||= part.type === 'text'
        yield part
      }
    } catch (error) {
      if (error instanceof ModelCallError) throw error
      isCharged = true
      const known = withUsage(model, report(), opened.usage())
      if (!time.signal.aborted) await chargeCall(model, null, call)
      if (call.signal.aborted) call.onAbort?.(known)
      const failed = { error, isSent: true, time }
      const { kind, message, status } = await readFailure(model, call, failed)
      throw new ModelCallError(kind, message, { status, report: known })
    }
  } finally {
    time.end()
    opened?.close()
    if (opened !== undefined && !isCharged) await chargeCall(model, null, call)
  }
}

/** The cost of a part of the usage would be too low. */
function withUsage(model: GatewayModel, report: CallReport, usage: Usage): CallReport {
  const costUsd = usage.tokensOut === null ? null : costOf(model, usage)
  return { ...report, usage, costUsd }
}

interface OpenedReply {
  readonly first: ReceivedPart
  readonly parts: AsyncIterator<ReceivedPart>
  /** What the provider has reported so far. */
  usage(): Usage
  close(): void
}

async function openReply(
  model: GatewayModel,
  call: ReplyCall,
  isPlain: boolean,
  time: Deadline,
): Promise<Outcome<OpenedReply>> {
  const left = new AbortController()
  const close = () => left.abort()
  const shape = openEventShape(model.provider)
  let isSent = false
  try {
    time.signal.throwIfAborted()
    const { fill, ...prompt } = deferTexts(call)
    const client = await openStreamingModel(model, { shape, isPlain, fill })
    isSent = true
    const signal = AbortSignal.any([time.signal, left.signal])
    const { stream } = await client.doStream(toOptions({ ...call, ...prompt, isPlain }, signal))
    const parts = readParts(stream)
    return { result: { first: await readNext(parts), parts, usage: shape.usage, close } }
  } catch (error) {
    close()
    return { problem: await readFailure(model, call, { error, isSent, time }) }
  }
}

/** The last part is the end, and nothing is read after it. */
async function readNext(parts: AsyncIterator<ReceivedPart>): Promise<ReceivedPart> {
  return (await parts.next()).value as ReceivedPart
}

/** Counts the cost even of a reply that is of no use: it was paid for. */
async function readEnd(
  model: GatewayModel,
  call: ReplyCall,
  { finish, stopReason, usage }: ReceivedEnd,
  { report: before, hasText }: { readonly report: CallReport; readonly hasText: boolean },
): Promise<ReplyPart> {
  const costUsd = costOf(model, usage)
  const report = { ...before, usage, costUsd, stopReason }
  await chargeCall(model, costUsd, call)
  if (hasText || finish !== 'stop') return { type: 'end', report, finish }
  throw new ModelCallError(
    'invalid_output',
    'The model returned an empty reply. Try again, or choose another model.',
    { report },
  )
}
