import { limits } from '@assay/contract/limits.ts'
import { noUsage, type Usage } from '../domain/span.ts'
import { costOfCall } from '../models/token-rates.ts'
import { textOf } from './agent-call.ts'
import type { GatewayModel } from './gateway-model.ts'
import type { AgentCall, CallReport } from './model-call.ts'

/*
 * What a call cost, and the charge to the allowance.
 */

export function costOf({ rates }: GatewayModel, usage: Usage): number | null {
  if (rates === null || (usage.tokensIn ?? usage.tokensOut) === null) return null
  const tokens = { ...usage, tokensCacheWrite1h: null }
  return costOfCall(rates, tokens, { factor: 1, isSum: false }) ?? null
}

/** What the most that a call may use follows from. */
export type SizedCall = Pick<AgentCall, 'system' | 'messages'> &
  Partial<Pick<AgentCall, 'tools'>> & { readonly maxOutputTokens: number | undefined }

/** The most that the call may have cost, if its cost is unknown. */
export async function chargeCall(
  model: GatewayModel,
  costUsd: number | null,
  call: SizedCall,
): Promise<void> {
  await model.meter?.add(costUsd ?? costOf(model, worstUsage(call)) ?? 0)
}

/** In tokens, of a call without a limit of its own. */
const longestReply = Math.ceil(limits.chatReplyLength.value / 3)

function worstUsage({ system, messages, tools = [], maxOutputTokens }: SizedCall): Usage {
  const texts = [system, ...messages.map(textOf), ...tools.map((one) => JSON.stringify(one))]
  const tokensIn = texts.reduce((sum, text) => sum + Math.ceil(text.length / 3), 0)
  return { ...noUsage, tokensIn, tokensOut: maxOutputTokens ?? longestReply }
}

export function reportOf(attempts: number, ms: number): CallReport {
  return {
    ...{ attempts, latencyMs: Math.round(ms), usage: noUsage },
    ...{ costUsd: null, stopReason: null, text: null },
  }
}
