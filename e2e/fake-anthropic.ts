import { nextTurn, type Reply, type Turn } from './fake-turn.ts'

/*
 * Anthropic's messages API of the fake provider. Cache reads and writes are not part of its input count:
 * its 24, 10 and 16 equal OpenAI's 50.
 */

const written = 10
const answeringClaude = 'claude-sonnet-4-5-20250929'
const thought = { thinking: 'Let me think about Paris.', signature: 'c2lnbmF0dXJl' }

interface MessagesRequest {
  readonly messages: readonly { readonly content: unknown }[]
  readonly tools?: readonly { readonly name: string }[]
  readonly stream?: boolean
  readonly thinking?: unknown
  /** Of a request for an object. */
  readonly output_config?: { readonly format?: unknown }
}

export function messagesReply({
  messages,
  tools = [],
  stream,
  thinking,
  output_config,
}: MessagesRequest): Reply {
  const hasResult = JSON.stringify(messages).includes('"tool_result"')
  const turn = nextTurn(
    tools.map(({ name }) => name),
    hasResult,
    output_config?.format !== undefined,
  )
  const blocks = [
    ...(thinking === undefined ? [] : [{ type: 'thinking', ...thought }]),
    turn.call === undefined
      ? { type: 'text', text: turn.text }
      : { type: 'tool_use', id: 'toolu_1', name: turn.call.name, input: turn.call.arguments },
  ]
  const message = {
    id: `msg_${turn.number}`,
    type: 'message',
    role: 'assistant',
    model: answeringClaude,
    stop_sequence: null,
  }
  const stop_reason = turn.call === undefined ? 'end_turn' : 'tool_use'
  const usage = toUsage(turn)
  if (stream !== true) return { whole: { ...message, content: blocks, stop_reason, usage } }
  const started = { ...message, content: [], stop_reason: null }
  const events = [
    {
      type: 'message_start',
      message: { ...started, usage: { ...usage, output_tokens: 1 } },
    },
    ...blocks.flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: turn.output },
    },
    { type: 'message_stop' },
  ]
  return { events: events.map((data) => ({ event: data.type, data })) }
}

type Block =
  | { readonly type: string; readonly thinking: string; readonly signature: string }
  | { readonly type: string; readonly text: string }
  | { readonly type: string; readonly id: string; readonly name: string; readonly input: object }

function blockEvents(block: Block, index: number): { readonly type: string }[] {
  const [empty, ...deltas] = blockParts(block)
  return [
    { type: 'content_block_start', content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', delta })),
    { type: 'content_block_stop' },
  ].map((event) => ({ ...event, index }))
}

/** The block without content, and its content. */
function blockParts(block: Block): readonly object[] {
  if ('text' in block) {
    return [
      { ...block, text: '' },
      { type: 'text_delta', text: block.text },
    ]
  }
  if ('input' in block) {
    const partial_json = JSON.stringify(block.input)
    return [
      { ...block, input: {} },
      { type: 'input_json_delta', partial_json },
    ]
  }
  return [
    { ...block, thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: block.thinking },
    { type: 'signature_delta', signature: block.signature },
  ]
}

function toUsage({ input, output, cached }: Turn): object {
  return {
    input_tokens: input - cached - written,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: 'standard',
  }
}
