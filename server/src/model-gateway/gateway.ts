import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { limits as published } from '@assay/contract/limits.ts'
import type { z } from 'zod'
import { type Deadline, openDeadline } from '../platform/deadline.ts'
import { Unavailable } from '../platform/failure.ts'
import { openFairSlots } from '../platform/fair-slots.ts'
import { readAgentReply, toToolOptions } from './agent-call.ts'
import { type Outcome, readFailure, tryCall } from './call-attempts.ts'
import { toOptions } from './call-options.ts'
import { chargeCall, costOf, reportOf } from './call-report.ts'
import type { GatewayModel } from './gateway-model.ts'
import { openLanguageModel } from './language-model.ts'
import {
  type AgentCall,
  type AgentReply,
  type CallReport,
  type ModelAnswer,
  type ModelCall,
  ModelCallError,
  type StructuredCall,
} from './model-call.ts'
import { openPlainModels, type PlainModels } from './plain-models.ts'
import type { ReplyCall, ReplyPart } from './reply-call.ts'
import { streamReply } from './stream-reply.ts'
import { objectOptions, parseObject, readText } from './structured-output.ts'
import { toUsage } from './token-usage.ts'

/*
 * Calls models: within limits of time and number, with usage and cost.
 */

export interface ModelGateway {
  /** An object in the form of the schema. Throws `ModelCallError`, or the reason of the signal. */
  generate<Value>(model: GatewayModel, call: StructuredCall<Value>): Promise<ModelAnswer<Value>>
  /** A text, calls of tools, or both. Throws `ModelCallError`, or the reason of the signal. */
  generate(model: GatewayModel, call: AgentCall): Promise<ModelAnswer<AgentReply>>
  /** A text. Throws `ModelCallError`, or the reason of the signal. */
  generate(model: GatewayModel, call: ModelCall): Promise<ModelAnswer<string>>
  /**
   * A text, part by part. Takes no turn of the other calls: whoever calls limits how many run. Throws `ModelCallError`,
   * or the reason of the signal. Whoever stops to read closes the connection.
   */
  stream(model: GatewayModel, call: ReplyCall): AsyncIterable<ReplyPart>
}

export interface GatewayLimits {
  readonly callMs: number
  readonly callsOfOrganization: number
  readonly calls: number
  readonly waitingCalls: number
  /** The mean delay before a second attempt, if the provider asks for none. */
  readonly retryMs: number
}

const usualLimits: GatewayLimits = {
  callMs: published.modelCallSeconds.value * 1000,
  callsOfOrganization: published.modelCallsOfOrganization.value,
  calls: published.modelCalls.value,
  waitingCalls: published.modelCallsWaiting.value,
  retryMs: 1000,
}

type AnyCall = Omit<ModelCall, 'messages'> &
  Pick<AgentCall, 'messages'> & {
    readonly schema?: z.ZodType
    readonly tools?: AgentCall['tools']
  }

export function openModelGateway(changed: Partial<GatewayLimits> = {}): ModelGateway {
  const limits = { ...usualLimits, ...changed }
  const inTurn = openFairSlots({
    runningMax: limits.calls,
    runningMaxOfOwner: limits.callsOfOrganization,
    waitingMax: limits.waitingCalls,
    refusal: 'Too many model calls are waiting. Try again later.',
  })

  const plain = openPlainModels()
  // Replies send other parameters.
  const plainReplies = openPlainModels()

  const generate = async (model: GatewayModel, call: AnyCall): Promise<ModelAnswer<unknown>> => {
    const { signal, deadline = Date.now() + (call.maxMs ?? limits.callMs) } = call
    const time = openDeadline(signal, deadline)
    const waiter = { owner: model.organizationId, signal: time.signal }
    try {
      return await inTurn(waiter, () => runCall(model, call, limits, plain))
    } catch (error) {
      if (error instanceof ModelCallError) throw error
      signal.throwIfAborted()
      const report = reportOf(0, 0)
      if (time.isUp())
        throw new ModelCallError('timeout', 'The call waited too long for its turn.', {
          report,
        })
      if (!(error instanceof Unavailable)) throw error
      throw new ModelCallError('provider_error', error.message, { report })
    } finally {
      time.end()
    }
  }
  return {
    generate: generate as ModelGateway['generate'],
    stream: (model, call) =>
      streamReply(model, call, { retryMs: limits.retryMs, plain: plainReplies }),
  }
}

async function runCall(
  model: GatewayModel,
  call: AnyCall,
  { callMs, retryMs }: GatewayLimits,
  plain: PlainModels,
): Promise<ModelAnswer<unknown>> {
  const { signal, deadline = Number.POSITIVE_INFINITY } = call
  const time = openDeadline(signal, Math.min(Date.now() + (call.maxMs ?? callMs), deadline))
  try {
    const send = (isPlain: boolean) => sendCall(model, { ...call, isPlain }, time)
    const { result, report } = await tryCall(model, send, { time, retryMs, plain })
    return await readAnswer(model, call, result, report())
  } finally {
    time.end()
  }
}

type SentCall = AnyCall & { readonly isPlain: boolean }

async function sendCall(
  model: GatewayModel,
  call: SentCall,
  time: Deadline,
): Promise<Outcome<LanguageModelV4GenerateResult>> {
  let isSent = false
  try {
    time.signal.throwIfAborted()
    const client = await openLanguageModel(model)
    isSent = true
    return { result: await client.doGenerate(toAllOptions(model, call, time.signal)) }
  } catch (error) {
    return { problem: await readFailure(model, call, { error, isSent, time }) }
  }
}

function toAllOptions(
  { provider }: GatewayModel,
  { temperature = 0, schema, tools, ...call }: SentCall,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  return {
    ...toOptions({ ...call, temperature }, abortSignal),
    ...(schema === undefined ? {} : objectOptions(provider, schema)),
    ...(tools === undefined ? {} : toToolOptions(tools)),
  }
}

/** Counts the cost even if the answer is of no use: it was paid for. */
async function readAnswer(
  model: GatewayModel,
  call: AnyCall,
  { content, finishReason, usage }: LanguageModelV4GenerateResult,
  before: CallReport,
): Promise<ModelAnswer<unknown>> {
  const text = readText(model.provider, content, call.schema !== undefined)
  const counts = toUsage(usage)
  const costUsd = costOf(model, counts)
  const stopReason = finishReason.unified
  const report = { ...before, usage: counts, costUsd, stopReason, text }
  await chargeCall(model, costUsd, call)
  const fail = (kind: 'refused' | 'invalid_output', message: string) =>
    new ModelCallError(kind, message, { report })
  if (stopReason === 'content-filter') throw fail('refused', 'The model refused to answer.')
  const found = readValue(call, content, text)
  if (found !== undefined) return { ...report, value: found.value }
  if (stopReason === 'length')
    throw fail('invalid_output', 'The answer of the model was cut off at its maximum length.')
  const problem = call.schema === undefined ? 'empty' : 'not in the requested form'
  throw fail('invalid_output', `The answer of the model is ${problem}.`)
}

/** Undefined if the answer is of no use. */
function readValue(
  { schema, tools }: AnyCall,
  content: LanguageModelV4GenerateResult['content'],
  text: string,
): { readonly value: unknown } | undefined {
  if (schema !== undefined) return parseObject(text, schema)
  if (tools === undefined) return text === '' ? undefined : { value: text }
  const reply = readAgentReply(content)
  return text === '' && reply.calls.length === 0 ? undefined : { value: reply }
}
