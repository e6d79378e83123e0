import type { SampleError, SampleTrace } from './sample-trace.ts'

/*
 * The steps of sample traces, with attributes of OpenTelemetry's GenAI conventions.
 */

export interface SampleModel {
  readonly provider: string
  readonly name: string
  readonly tokensPerSecond: number
}

/** All except the self-hosted one are in the price list. */
export const sampleModels = {
  small: { provider: 'openai', name: 'gpt-5-mini', tokensPerSecond: 95 },
  large: { provider: 'openai', name: 'gpt-5', tokensPerSecond: 60 },
  sonnet: { provider: 'anthropic', name: 'claude-sonnet-4-5', tokensPerSecond: 70 },
  haiku: { provider: 'anthropic', name: 'claude-haiku-4-5', tokensPerSecond: 120 },
  flash: { provider: 'gcp.gemini', name: 'gemini-2.5-flash', tokensPerSecond: 150 },
  mistral: { provider: 'mistral_ai', name: 'mistral-large-latest', tokensPerSecond: 80 },
  selfHosted: { provider: 'in-house', name: 'orchid-70b-chat', tokensPerSecond: 40 },
} as const satisfies Readonly<Record<string, SampleModel>>

const embeddingModel = 'text-embedding-3-small'

export interface SampleMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text?: string
  readonly calls?: readonly SampleCall[]
  /** The id of the tool call that it answers. */
  readonly answers?: string
}

export interface SampleCall {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

interface Step {
  readonly parent: string
  readonly fromMs: number
}

interface ModelCall extends Step {
  readonly model: SampleModel
  readonly messages: readonly SampleMessage[]
  readonly answer: SampleMessage
  /** The cached part of the input. */
  readonly cached?: number
  readonly cacheWritten?: number
  readonly reasoning?: number
  /** Tokens that the sample messages leave out: tool definitions, documents, files. */
  readonly hiddenTokens?: number
  readonly error?: SampleError
}

/** Returns the end of the call. */
export function callModel(trace: SampleTrace, call: ModelCall): number {
  const { model, messages, answer, fromMs, error, reasoning = 0 } = call
  const tokensIn = countTokens(messages) + (call.hiddenTokens ?? 180)
  const tokensOut = countTokens([answer]) + reasoning
  const firstMs = trace.random.whole(180, 620)
  const toMs = error
    ? fromMs + trace.random.whole(400, 9_000)
    : fromMs + firstMs + Math.round((1000 * tokensOut) / model.tokensPerSecond)
  const hasOutput = error === undefined
  trace.add({
    name: `chat ${model.name}`,
    parent: call.parent,
    fromMs,
    toMs,
    ...(error === undefined ? {} : { error }),
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': model.provider,
      'gen_ai.request.model': model.name,
      'gen_ai.response.model': hasOutput ? model.name : undefined,
      'gen_ai.request.temperature': 0.2,
      'gen_ai.input.messages': messagesJson(messages),
      'gen_ai.output.messages': hasOutput ? messagesJson([answer]) : undefined,
      'gen_ai.usage.input_tokens': hasOutput ? tokensIn : undefined,
      'gen_ai.usage.output_tokens': hasOutput ? tokensOut : undefined,
      'gen_ai.usage.cache_read.input_tokens': hasOutput ? call.cached : undefined,
      'gen_ai.usage.cache_creation.input_tokens': hasOutput ? call.cacheWritten : undefined,
      'gen_ai.usage.reasoning.output_tokens': hasOutput && reasoning > 0 ? reasoning : undefined,
      'gen_ai.response.finish_reasons': hasOutput
        ? [answer.calls ? 'tool_calls' : 'stop']
        : undefined,
      'gen_ai.response.time_to_first_chunk': hasOutput ? firstMs / 1000 : undefined,
    },
  })
  return toMs
}

interface ToolCall extends Step {
  readonly call: SampleCall
  readonly result?: unknown
  readonly tookMs: number
  readonly error?: SampleError
  /** Called over the Model Context Protocol. */
  readonly isMcp?: boolean
}

/** Returns the span. */
export function callTool(trace: SampleTrace, step: ToolCall): string {
  const { call, parent, fromMs, tookMs, result, error, isMcp } = step
  return trace.add({
    name: isMcp ? `tools/call ${call.name}` : `execute_tool ${call.name}`,
    parent,
    fromMs,
    toMs: fromMs + tookMs,
    ...(error === undefined ? {} : { error }),
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.call.arguments': JSON.stringify(call.arguments),
      'gen_ai.tool.call.result': result === undefined ? undefined : JSON.stringify(result),
      'mcp.method.name': isMcp ? 'tools/call' : undefined,
    },
  })
}

interface Retrieval extends Step {
  readonly query: string
  readonly documents: readonly { readonly id: string; readonly text: string }[]
  readonly tookMs: number
}

/** A retriever with the embedding of its query inside; returns its end. */
export function retrieve(trace: SampleTrace, step: Retrieval): number {
  const { parent, fromMs, tookMs, query, documents } = step
  const toMs = fromMs + tookMs
  const documentsJson = JSON.stringify(
    documents.map(({ id, text }, place) => ({ id, content: text, score: 0.92 - 0.07 * place })),
  )
  const retriever = trace.add({
    name: 'search the index',
    parent,
    fromMs,
    toMs,
    attributes: {
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.retrieval.query.text': query,
      'gen_ai.retrieval.documents': documentsJson,
      'db.system.name': 'pgvector',
    },
  })
  trace.add({
    name: `embeddings ${embeddingModel}`,
    parent: retriever,
    fromMs: fromMs + 2,
    toMs: fromMs + Math.round(tookMs * 0.6),
    attributes: {
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': embeddingModel,
      'gen_ai.usage.input_tokens': tokensOfText(query),
      'gen_ai.embeddings.dimension.count': 1536,
    },
  })
  return toMs
}

interface Root {
  readonly spanId: string
  readonly name: string
  readonly agent?: string
  readonly toMs: number
  readonly input: string
  readonly output?: string | undefined
  readonly error?: SampleError | undefined
}

/** The root of a trace, with the attributes of the whole trace. */
export function addRoot(trace: SampleTrace, root: Root): void {
  const { run } = trace
  const { spanId, name, toMs, agent, input, output, error } = root
  trace.add({
    spanId,
    name,
    fromMs: 0,
    toMs,
    ...(error === undefined ? {} : { error }),
    attributes: {
      'gen_ai.operation.name': agent === undefined ? 'invoke_workflow' : 'invoke_agent',
      'gen_ai.agent.name': agent,
      'gen_ai.input.messages': messagesJson([{ role: 'user', text: input }]),
      'gen_ai.output.messages':
        output === undefined ? undefined : messagesJson([{ role: 'assistant', text: output }]),
      'session.id': run.sessionId,
      'user.id': run.userId,
      'tag.tags': run.tags,
    },
  })
}

function countTokens(messages: readonly SampleMessage[]): number {
  return messages.reduce(
    (sum, { text = '', calls = [] }) =>
      sum + 4 + tokensOfText(text) + calls.reduce((more, call) => more + callTokens(call), 0),
    0,
  )
}

function callTokens(call: SampleCall): number {
  return 12 + tokensOfText(JSON.stringify(call.arguments))
}

function tokensOfText(text: string): number {
  return Math.ceil(text.length / 4)
}

function messagesJson(messages: readonly SampleMessage[]): string {
  return JSON.stringify(
    messages.map(({ role, text, calls, answers }) => {
      if (answers !== undefined) {
        return { role, parts: [{ type: 'tool_call_response', id: answers, response: text }] }
      }
      return {
        role,
        parts: [
          ...(text === undefined ? [] : [{ type: 'text', content: text }]),
          ...(calls ?? []).map((call) => ({ type: 'tool_call', ...call })),
        ],
      }
    }),
  )
}
