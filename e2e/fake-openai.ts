import { answeringModel, nextTurn, type Reply, type Turn } from './fake-turn.ts'

/*
 * OpenAI's endpoints of the fake provider.
 */

const created = 1_790_000_000

interface ToolDefinition {
  readonly name?: string
  readonly function?: { readonly name: string }
}

/** The name of a tool is in one of two fields. */
function toNames(tools: readonly ToolDefinition[] = []): string[] {
  return tools.map(({ name, function: declared }) => declared?.name ?? name ?? '')
}

interface ChatCompletionRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
  readonly tools?: readonly ToolDefinition[]
  readonly stream?: boolean
  readonly response_format?: { readonly type: string }
}

export function chatCompletionReply({
  messages,
  tools,
  stream,
  response_format,
}: ChatCompletionRequest): Reply {
  // Some frameworks send a tool result as a user message.
  const hasResult = messages.some(
    ({ role, content }) =>
      role === 'tool' ||
      (role === 'user' && JSON.stringify(content ?? '').includes('Observation:')),
  )
  const turn = nextTurn(toNames(tools), hasResult, response_format?.type === 'json_schema')
  const reply = {
    id: `chatcmpl-${turn.number}`,
    created,
    model: answeringModel,
    system_fingerprint: 'fp_1',
    service_tier: 'default',
  }
  const reason = turn.call === undefined ? 'stop' : 'tool_calls'
  const usage = chatUsage(turn)
  if (stream === true) {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      data: {
        ...reply,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      },
    })
    return {
      events: [
        chunk({ role: 'assistant', content: turn.call === undefined ? '' : null }),
        ...chatDeltas(turn).map((delta) => chunk(delta)),
        chunk({}, reason),
        { data: { ...reply, object: 'chat.completion.chunk', choices: [], usage } },
        { data: '[DONE]' },
      ],
    }
  }
  const message = {
    role: 'assistant',
    content: turn.call === undefined ? turn.text : null,
    refusal: null,
    ...(turn.call === undefined ? {} : { tool_calls: [chatToolCall(turn.call)] }),
  }
  const choice = { index: 0, finish_reason: reason, logprobs: null, message }
  return { whole: { ...reply, object: 'chat.completion', choices: [choice], usage } }
}

function chatDeltas({ call, text }: Turn): object[] {
  if (call !== undefined) return [{ tool_calls: [{ index: 0, ...chatToolCall(call) }] }]
  return text.split(/(?<= )/).map((content) => ({ content }))
}

function chatToolCall(call: NonNullable<Turn['call']>): object {
  const { name } = call
  return {
    id: name === 'final_answer' ? 'call_2' : 'call_1',
    type: 'function',
    function: { name, arguments: JSON.stringify(call.arguments) },
  }
}

function chatUsage({ input, output, cached, reasoning }: Turn): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  }
}

interface ResponsesRequest {
  readonly instructions?: string | null
  readonly input?: string | readonly { readonly type?: string }[]
  readonly tools?: readonly ToolDefinition[]
  readonly stream?: boolean
  readonly text?: { readonly format?: { readonly type: string } }
}

export function responseReply({
  instructions = null,
  input = [],
  tools,
  stream,
  text,
}: ResponsesRequest): Reply {
  const hasResult =
    typeof input !== 'string' && input.some(({ type }) => type === 'function_call_output')
  const turn = nextTurn(toNames(tools), hasResult, text?.format?.type === 'json_schema')
  const item = responseItem(turn)
  const reply = {
    id: `resp_${turn.number}`,
    object: 'response',
    created_at: created,
    error: null,
    incomplete_details: null,
    instructions,
    model: answeringModel,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
  }
  const whole = {
    ...reply,
    status: 'completed',
    output: [{ ...item, status: 'completed' }],
    usage: {
      input_tokens: turn.input,
      input_tokens_details: { cached_tokens: turn.cached },
      output_tokens: turn.output,
      output_tokens_details: { reasoning_tokens: turn.reasoning },
      total_tokens: turn.input + turn.output,
    },
  }
  if (stream !== true) return { whole }
  const types = [
    {
      type: 'response.created',
      response: { ...reply, status: 'in_progress', output: [], usage: null },
    },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress' },
    },
    ...responseDeltas(turn),
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...item, status: 'completed' },
    },
    { type: 'response.completed', response: whole },
  ]
  return {
    events: types.map((data, at) => ({
      event: data.type,
      data: { ...data, sequence_number: at },
    })),
  }
}

interface StreamEvent {
  readonly type: string
  readonly [member: string]: unknown
}

function responseDeltas({ call, text }: Turn): readonly StreamEvent[] {
  const at = { output_index: 0, item_id: call === undefined ? 'msg_1' : 'fc_1' }
  if (call !== undefined) {
    const argumentsJson = JSON.stringify(call.arguments)
    return [
      { type: 'response.function_call_arguments.delta', ...at, delta: argumentsJson },
      { type: 'response.function_call_arguments.done', ...at, arguments: argumentsJson },
    ]
  }
  const within = { ...at, content_index: 0 }
  const part = { type: 'output_text', annotations: [] }
  return [
    { type: 'response.content_part.added', ...within, part: { ...part, text: '' } },
    ...text
      .split(/(?<= )/)
      .map((delta) => ({ type: 'response.output_text.delta', ...within, delta })),
    { type: 'response.output_text.done', ...within, text },
    { type: 'response.content_part.done', ...within, part: { ...part, text } },
  ]
}

function responseItem({ call, text }: Turn): object {
  if (call === undefined) {
    const content = [{ type: 'output_text', text, annotations: [] }]
    return { type: 'message', id: 'msg_1', role: 'assistant', content }
  }
  const { name } = call
  const argumentsJson = JSON.stringify(call.arguments)
  return { type: 'function_call', id: 'fc_1', call_id: 'call_1', name, arguments: argumentsJson }
}

interface EmbeddingsRequest {
  readonly input: string | readonly string[]
  readonly model: string
}

export function embeddingsReply({ input, model }: EmbeddingsRequest): Reply {
  const texts = typeof input === 'string' ? [input] : input
  const data = texts.map((_text, index) => ({
    object: 'embedding',
    index,
    embedding: [0.25, -0.5, 0.75],
  }))
  const tokens = 8 * texts.length
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  return { whole: { object: 'list', model, data, usage } }
}
