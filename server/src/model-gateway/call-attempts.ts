import { setTimeout as sleep } from 'node:timers/promises'
import { requiresApiKey } from '@assay/contract/model-configs.ts'
import type { Deadline } from '../platform/deadline.ts'
import { chargeCall, reportOf, type SizedCall } from './call-report.ts'
import type { GatewayModel } from './gateway-model.ts'
import { type CallReport, ModelCallError } from './model-call.ts'
import type { PlainModels } from './plain-models.ts'
import { type ProviderProblem, toProviderProblem } from './provider-errors.ts'

/*
 * The attempts of a call: one retry where that can help, or without the parameters that the model refused.
 */

/** At most one retry. */
const attemptsMax = 2

export type Outcome<Result> = { readonly result: Result } | { readonly problem: ProviderProblem }

export interface AttemptRules {
  readonly time: Deadline
  /** The mean delay before a second attempt, if the provider asks for none. */
  readonly retryMs: number
  readonly plain: PlainModels
}

/**
 * `isPlain`: without the parameters that reasoning models do not accept, whose deployments can have any name. Throws
 * `ModelCallError`.
 */
export async function tryCall<Result>(
  model: GatewayModel,
  send: (isPlain: boolean) => Promise<Outcome<Result>>,
  { time, retryMs, plain }: AttemptRules,
): Promise<{ readonly result: Result; report(): CallReport }> {
  const startedAt = performance.now()
  const reportAt = (attempt: number) => reportOf(attempt, performance.now() - startedAt)
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
    const outcome = await send(isPlain)
    if ('result' in outcome) {
      if (isChanged) plain.set(model, isPlain)
      return { result: outcome.result, report: () => reportAt(attempt) }
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
}

export interface FailedAttempt {
  readonly error: unknown
  readonly isSent: boolean
  readonly time: Deadline
}

/** Throws the reason of the caller's signal if that was it, and errors that are defects. */
export async function readFailure(
  model: GatewayModel,
  call: SizedCall & { readonly signal: AbortSignal },
  { error, isSent, time }: FailedAttempt,
): Promise<ProviderProblem> {
  // Whoever leaves before the answer would otherwise call without a limit: the provider bills what it has begun.
  if (isSent && time.signal.aborted) await chargeCall(model, null, call)
  call.signal.throwIfAborted()
  if (time.isUp()) return timedOut
  const problem = toProviderProblem(error, model.apiKey)
  if (problem === undefined) throw error
  return problem
}

const timedOut: ProviderProblem = {
  ...{ kind: 'timeout', message: 'The model did not answer in time.', status: null },
  ...{ isTransient: false, isParameterRefused: false, retryAfterMs: undefined },
}
