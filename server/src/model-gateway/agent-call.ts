import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
} from '@ai-sdk/provider'
import type { AgentMessage, AgentReply, RequestedCall, ToolDefinition } from './model-call.ts'
import { isModest } from './model-outbound.ts'

/*
 * Calls of agents: tools, the calls of tools that a model requests, and their results, in the form of the AI SDK.
 */

type Options = LanguageModelV4CallOptions
type Content = LanguageModelV4GenerateResult['content']

export function toPromptMessage(message: AgentMessage): LanguageModelV4Message {
  if (message.role === 'user') return { role: 'user', content: [toTextPart(message.content)] }
  if (message.role === 'tool') {
    const content = message.results.map(({ callId, name, text, isError }) => ({
      ...{ type: 'tool-result' as const, toolCallId: callId, toolName: name },
      output: { type: isError === true ? ('error-text' as const) : ('text' as const), value: text },
    }))
    return { role: 'tool', content }
  }
  const texts = message.content === '' ? [] : [toTextPart(message.content)]
  return { role: 'assistant', content: [...texts, ...(message.calls ?? []).map(toCallPart)] }
}

const toTextPart = (text: string) => ({ type: 'text' as const, text })

/** The provider's own data of a call goes back with it: Gemini refuses a call without its signature. */
function toCallPart({ id, name, input, providerData }: RequestedCall): LanguageModelV4ToolCallPart {
  const call = { type: 'tool-call' as const, toolCallId: id, toolName: name, input: input ?? {} }
  if (providerData === undefined) return call
  const providerOptions = providerData as LanguageModelV4ToolCallPart['providerOptions'] & object
  return { ...call, providerOptions }
}

export function toToolOptions(tools: readonly ToolDefinition[]): Pick<Options, 'tools'> {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      ...{ type: 'function', name, description, inputSchema: parameters },
    })),
  }
}

export function readAgentReply(content: Content): AgentReply {
  const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []))
  const calls = content.flatMap((part): RequestedCall[] => {
    if (part.type !== 'tool-call') return []
    const { toolCallId: id, toolName: name, input: argumentsText, providerMetadata } = part
    const input = parseArguments(argumentsText)
    const providerData = providerMetadata === undefined ? {} : { providerData: providerMetadata }
    return [{ id, name, argumentsText, input, ...providerData }]
  })
  return { text: texts.join('\n'), calls }
}

/** Models without arguments send an empty text. */
function parseArguments(text: string): RequestedCall['input'] {
  if (text.trim() === '') return {}
  if (!isModest(Buffer.from(text))) return undefined
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as RequestedCall['input']) : undefined
  } catch {
    return undefined
  }
}

/** All that is sent of a message, for estimates of its tokens. */
export function textOf(message: AgentMessage): string {
  if (message.role === 'tool') return message.results.map(({ text }) => text).join('')
  if (message.role === 'user') return message.content
  const calls = (message.calls ?? []).map(({ name, argumentsText }) => name + argumentsText)
  return [message.content, ...calls].join('')
}
