import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { limits as published } from '@assay/contract/limits.ts'
import { requiresApiKey } from '@assay/contract/model-configs.ts'
import type { z } from 'zod'
import { noUsage, type Usage } from '../domain/span.ts'
import { costOfCall } from '../models/token-rates.ts'
import { type Deadline, openDeadline } from '../platform/deadline.ts'
import { Unavailable } from '../platform/failure.ts'
import { openFairSlots } from '../platform/fair-slots.ts'
import { readAgentReply, textOf, toPromptMessage, toToolOptions } from './agent-call.ts'
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
import { type ProviderProblem, toProviderProblem } from './provider-errors.ts'
import { objectOptions, parseObject, readText } from './structured-output.ts'

/*
 * Calls models: within limits of time and number, with one retry where that can help, and with usage and cost.
 */

export interface ModelGateway {
  /** An object in the form of the schema. Throws `ModelCallError`, or the reason of the signal. */
  generate<Value>(model: GatewayModel, call: StructuredCall<Value>): Promise<ModelAnswer<Value>>
  /** A text, calls of tools, or both. Throws `ModelCallError`, or the reason of the signal. */
  generate(model: GatewayModel, call: AgentCall): Promise<ModelAnswer<AgentReply>>
  /** A text. Throws `ModelCallError`, or the reason of the signal. */
  generate(model: GatewayModel, call: ModelCall): Promise<ModelAnswer<string>>
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

/** At most one retry. */
const attemptsMax = 2

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
  return { generate: generate as ModelGateway['generate'] }
}

async function runCall(
  model: GatewayModel,
  call: AnyCall,
  { callMs, retryMs }: GatewayLimits,
  plain: PlainModels,
): Promise<ModelAnswer<unknown>> {
  const startedAt = performance.now()
  const { signal, deadline = Number.POSITIVE_INFINITY } = call
  const time = openDeadline(signal, Math.min(Date.now() + (call.maxMs ?? callMs), deadline))
  const reportAt = (attempt: number) => reportOf(attempt, performance.now() - startedAt)
  try {
    if (model.apiKey === null && requiresApiKey(model.provider)) {
      const message = 'No API key is stored for this model. Enter it in the settings of the model.'
      throw new ModelCallError('provider_error', message, { report: reportAt(0) })
    }
    let isPlain = plain.has(model)
    let isChanged = false
    for (let attempt = 1; ; attempt += 1) {
      if ((await model.meter?.isUsedUp()) === true) {
        const message = 'The allowance of this month is used up.'
        throw new ModelCallError('budget', message, { report: reportAt(attempt - 1) })
      }
      const outcome = await send(model, { ...call, isPlain }, time)
      if ('result' in outcome) {
        if (isChanged) plain.set(model, isPlain)
        return await readAnswer(model, call, outcome.result, reportAt(attempt))
      }
      const { problem } = outcome
      const delayMs = problem.retryAfterMs ?? retryMs * (0.5 + Math.random())
      if (problem.isParameterRefused && !isChanged && attempt < attemptsMax) {
        isPlain = !isPlain
        isChanged = true
        continue
      }
      const isLast = attempt === attemptsMax || !problem.isTransient
      if (isLast || Date.now() + delayMs >= time.endsAt) {
        const { kind, message, status } = problem
        throw new ModelCallError(kind, message, { status, report: reportAt(attempt) })
      }
      await sleep(delayMs, undefined, { signal: time.signal }).catch(() => undefined)
    }
  } finally {
    time.end()
  }
}

/** Without the parameters that reasoning models do not accept, whose deployments can have any name. */
type SentCall = AnyCall & { readonly isPlain: boolean }

type Outcome =
  | { readonly result: LanguageModelV4GenerateResult }
  | { readonly problem: ProviderProblem }

async function send(model: GatewayModel, call: SentCall, time: Deadline): Promise<Outcome> {
  let isSent = false
  try {
    time.signal.throwIfAborted()
    const client = await openLanguageModel(model)
    isSent = true
    return { result: await client.doGenerate(toOptions(model, call, time.signal)) }
  } catch (error) {
    // Whoever leaves before the answer would otherwise call without a limit: the provider bills what it has begun.
    if (isSent && time.signal.aborted) await addToAllowance(model, null, call)
    call.signal.throwIfAborted()
    if (time.isUp()) return { problem: { ...timedOut } }
    const problem = toProviderProblem(error, model.apiKey)
    if (problem === undefined) throw error
    return { problem }
  }
}

/** The most that the call may have cost, if its cost is unknown. */
async function addToAllowance(
  model: GatewayModel,
  costUsd: number | null,
  call: AnyCall,
): Promise<void> {
  await model.meter?.add(costUsd ?? costOf(model, worstUsage(call)) ?? 0)
}

const timedOut: ProviderProblem = {
  ...{ kind: 'timeout', message: 'The model did not answer in time.', status: null },
  ...{ isTransient: false, isParameterRefused: false, retryAfterMs: undefined },
}

function toOptions(
  { provider }: GatewayModel,
  { system, messages, maxOutputTokens, temperature = 0, schema, tools, isPlain }: SentCall,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  return {
    prompt: [{ role: 'system', content: system }, ...messages.map(toPromptMessage)],
    ...{ maxOutputTokens, abortSignal },
    ...(isPlain ? { providerOptions: { openai: { forceReasoning: true } } } : { temperature }),
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
  await addToAllowance(model, costUsd, call)
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

/** Unknown unless each count can be one: anyone can configure a provider. */
function toUsage({ inputTokens, outputTokens }: LanguageModelV4GenerateResult['usage']): Usage {
  const counts = {
    tokensIn: inputTokens.total ?? null,
    tokensOut: outputTokens.total ?? null,
    tokensCacheRead: inputTokens.cacheRead ?? null,
    tokensCacheWrite: inputTokens.cacheWrite ?? null,
    tokensReasoning: outputTokens.reasoning ?? null,
  }
  return Object.values(counts).every(isTokenCount) ? counts : noUsage
}

/** More than any request has. Sums of these are exact. */
const tokenCountMax = 1e9

function isTokenCount(count: number | null): boolean {
  return count === null || (Number.isInteger(count) && count >= 0 && count <= tokenCountMax)
}

function costOf({ rates }: GatewayModel, usage: Usage): number | null {
  if (rates === null || (usage.tokensIn ?? usage.tokensOut) === null) return null
  const tokens = { ...usage, tokensCacheWrite1h: null }
  return costOfCall(rates, tokens, { factor: 1, isSum: false }) ?? null
}

function worstUsage({ system, messages, tools = [], maxOutputTokens }: AnyCall): Usage {
  const texts = [system, ...messages.map(textOf), ...tools.map((one) => JSON.stringify(one))]
  const tokensIn = texts.reduce((sum, text) => sum + Math.ceil(text.length / 3), 0)
  return { ...noUsage, tokensIn, tokensOut: maxOutputTokens }
}

function reportOf(attempts: number, ms: number): CallReport {
  return {
    ...{ attempts, latencyMs: Math.round(ms), usage: noUsage },
    ...{ costUsd: null, stopReason: null, text: null },
  }
}
