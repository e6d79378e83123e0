import { limits } from '@assay/contract/limits.ts'
import type { ModelTest } from '@assay/contract/model-configs.ts'
import { z } from 'zod'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { type CallReport, ModelCallError } from '../../model-gateway/model-call.ts'
import type { Models } from '../../model-gateway/models.ts'

/** In the form that judges need. */
const schema = z.object({ answer: z.enum(['yes', 'no']) })

/** Reasoning models think before they answer. */
const maxOutputTokens = 2000

export async function testModel(
  model: GatewayModel,
  models: Models,
  signal: AbortSignal,
): Promise<ModelTest> {
  const deadline = Date.now() + limits.modelTestSeconds.value * 1000
  const call = {
    system: 'Answer the question in the requested form.',
    messages: [{ role: 'user', content: 'Is two plus two four?' }],
    ...{ schema, maxOutputTokens, signal, deadline },
  } as const
  try {
    return { ok: true, ...toApi(await models.generate(model, call)), error: null }
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error
    const { kind, message, report } = error
    return { ok: false, ...toApi(report), error: { kind, message } }
  }
}

function toApi({ latencyMs, usage, costUsd }: CallReport) {
  const { tokensIn, tokensOut } = usage
  return { latency_ms: latencyMs, tokens_in: tokensIn, tokens_out: tokensOut, cost_usd: costUsd }
}
