import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { toPromptMessage } from './agent-call.ts'
import type { AgentMessage } from './model-call.ts'

/*
 * What all calls send, in the form of the AI SDK.
 */

export interface PromptedCall {
  readonly system: string
  readonly messages: readonly AgentMessage[]
  readonly maxOutputTokens: number | undefined
  /** Undefined: the default of the provider. */
  readonly temperature?: number
  /** Without the parameters that reasoning models do not accept, whose deployments can have any name. */
  readonly isPlain: boolean
}

export function toOptions(
  { system, messages, maxOutputTokens, temperature, isPlain }: PromptedCall,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  // Some providers refuse an empty text.
  const instructions = system === '' ? [] : [{ role: 'system' as const, content: system }]
  return {
    prompt: [...instructions, ...messages.map(toPromptMessage)],
    abortSignal,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(isPlain || temperature === undefined ? {} : { temperature }),
    ...(isPlain ? { providerOptions: { openai: { forceReasoning: true } } } : {}),
  }
}
