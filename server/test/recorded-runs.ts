import { createHash } from 'node:crypto'

/*
 * Runs of an agent as OTLP requests, in the form of OpenTelemetry's conventions.
 */

export interface SentMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text?: string
  /** The address of an image. */
  readonly image?: string
  readonly call?: { readonly id: string; readonly name: string; readonly arguments: object }
  readonly result?: { readonly id: string; readonly response: unknown }
}

export interface SentCall {
  readonly model?: string
  readonly system?: string
  readonly messages: readonly SentMessage[]
  readonly answer: SentMessage
  readonly tokensIn?: number
  readonly tokensOut?: number
  readonly tokensCached?: number
  readonly tools?: readonly object[]
}

export interface SentRun {
  readonly traceId: string
  readonly startedMs?: number
  readonly service?: string
  readonly calls: readonly SentCall[]
  /** Names of tools, each a span; those with an exclamation mark fail. */
  readonly toolSpans?: readonly string[]
  /** Of the span around the calls. */
  readonly rootTokensIn?: number
}

/** 32 hexadecimal digits. */
export function traceIdOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32)
}

export function toOtlp(runs: readonly SentRun[]): object {
  return {
    resourceSpans: runs.map((run) => ({
      resource: { attributes: toAttributes({ 'service.name': run.service ?? 'support' }) },
      scopeSpans: [{ scope: { name: 'test' }, spans: spansOf(run) }],
    })),
  }
}

const startMs = Date.parse('2026-11-01T10:00:00Z')

function spansOf(run: SentRun): object[] {
  const { traceId, startedMs = startMs, calls, toolSpans = [], rootTokensIn } = run
  const spanId = (n: number) => n.toString(16).padStart(16, '0')
  const times = (n: number) => ({
    startTimeUnixNano: `${startedMs + n}000000`,
    endTimeUnixNano: `${startedMs + n + 1}000000`,
  })
  const root = {
    ...{ traceId, spanId: spanId(1), name: 'invoke_agent support', ...times(0) },
    endTimeUnixNano: `${startedMs + 5000}000000`,
    attributes: toAttributes({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.usage.input_tokens': rootTokensIn,
    }),
  }
  const inner = (n: number, name: string, attributes: Attributes) => ({
    ...{ traceId, spanId: spanId(n + 2), parentSpanId: spanId(1), name, kind: 3 },
    ...{ ...times(n + 1), attributes: toAttributes(attributes) },
  })
  return [
    root,
    ...calls.map((call, n) => inner(n, `chat ${call.model ?? 'gpt-4o'}`, attributesOf(call))),
    ...toolSpans.map((called, n) => {
      const name = called.replace('!', '')
      const span = inner(calls.length + n, `execute_tool ${name}`, {
        ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
      })
      return called === name ? span : { ...span, status: { code: 2, message: 'It is down.' } }
    }),
  ]
}

type Attributes = Readonly<Record<string, string | number | undefined>>

function attributesOf({
  model = 'gpt-4o',
  system,
  messages,
  answer,
  tokensIn,
  tokensOut,
  tokensCached,
  tools,
}: SentCall): Attributes {
  const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
    'gen_ai.usage.input_tokens': tokensIn,
    'gen_ai.usage.output_tokens': tokensOut,
    'gen_ai.usage.cache_read.input_tokens': tokensCached,
    'gen_ai.system_instructions': json(system && [{ type: 'text', content: system }]),
    'gen_ai.input.messages': json(messages.map(toMessage)),
    'gen_ai.output.messages': json([toMessage(answer)]),
    'gen_ai.tool.definitions': json(tools),
  }
}

function toMessage({ role, text, image, call, result }: SentMessage): object {
  return {
    role,
    parts: [
      ...(text === undefined ? [] : [{ type: 'text', content: text }]),
      ...(image === undefined ? [] : [{ type: 'uri', modality: 'image', uri: image }]),
      ...(call === undefined ? [] : [{ type: 'tool_call', ...call }]),
      ...(result === undefined ? [] : [{ type: 'tool_call_response', ...result }]),
    ],
  }
}

function toAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [
      { key, value: typeof value === 'string' ? { stringValue: value } : { intValue: `${value}` } },
    ]
  })
}
