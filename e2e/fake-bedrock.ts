import { crc32 } from 'node:zlib'
import { messagesReply } from './fake-anthropic.ts'
import { nextTurn, type Reply, type Turn } from './fake-turn.ts'

/*
 * Bedrock's Converse and InvokeModel of the fake provider, the latter with Anthropic's messages. Like
 * Anthropic's, its input count is without the cache; its total is with it.
 */

const written = 10

interface ConverseRequest {
  readonly messages: readonly object[]
  readonly toolConfig?: {
    readonly tools: readonly { readonly toolSpec: { readonly name: string } }[]
  }
}

export function converseReply({ messages, toolConfig }: ConverseRequest, path: string): Reply {
  const names = toolConfig?.tools.map(({ toolSpec }) => toolSpec.name) ?? []
  const turn = nextTurn(names, JSON.stringify(messages).includes('"toolResult"'))
  const { call, text } = turn
  const stopReason = call === undefined ? 'end_turn' : 'tool_use'
  const last = { usage: toUsage(turn), metrics: { latencyMs: 100 } }
  const toolUse = { toolUseId: 'tooluse_1', name: call?.name }
  if (!path.endsWith('-stream')) {
    const block = call === undefined ? { text } : { toolUse: { ...toolUse, input: call.arguments } }
    const message = { role: 'assistant', content: [block] }
    return { whole: { output: { message }, stopReason, ...last } }
  }
  const contentBlockIndex = 0
  const delta =
    call === undefined ? { text } : { toolUse: { input: JSON.stringify(call.arguments) } }
  return {
    binary: Buffer.concat([
      eventMessage('messageStart', { role: 'assistant' }),
      ...(call === undefined
        ? []
        : [eventMessage('contentBlockStart', { contentBlockIndex, start: { toolUse } })]),
      eventMessage('contentBlockDelta', { contentBlockIndex, delta }),
      eventMessage('contentBlockStop', { contentBlockIndex }),
      eventMessage('messageStop', { stopReason }),
      eventMessage('metadata', last),
    ]),
  }
}

export function invokeReply(request: Parameters<typeof messagesReply>[0], path: string): Reply {
  const reply = messagesReply({ ...request, stream: path.endsWith('-stream') })
  if (!('events' in reply)) return reply
  const chunks = reply.events.map(({ data }) => {
    const bytes = Buffer.from(JSON.stringify(withMetrics(data, request))).toString('base64')
    return eventMessage('chunk', { bytes })
  })
  return { binary: Buffer.concat(chunks) }
}

/** Bedrock adds its own counts to the last event. */
function withMetrics(event: unknown, request: Parameters<typeof messagesReply>[0]): unknown {
  if ((event as { readonly type: string }).type !== 'message_stop') return event
  const hasResult = JSON.stringify(request.messages).includes('"tool_result"')
  const { input, output, cached } = nextTurn(
    (request.tools ?? []).map(({ name }) => name),
    hasResult,
  )
  const metrics = {
    inputTokenCount: input - cached - written,
    outputTokenCount: output,
    invocationLatency: 100,
    firstByteLatency: 50,
    cacheReadInputTokenCount: cached,
    cacheWriteInputTokenCount: written,
  }
  return { ...(event as object), 'amazon-bedrock-invocationMetrics': metrics }
}

function toUsage({ input, output, cached }: Turn): object {
  return {
    inputTokens: input - cached - written,
    outputTokens: output,
    totalTokens: input + output,
    cacheReadInputTokens: cached,
    cacheWriteInputTokens: written,
  }
}

/** A message of AWS's binary event stream. */
function eventMessage(type: string, payload: object): Buffer {
  const headers = Buffer.concat([
    header(':event-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ])
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(headers.length + body.length + 16, 0)
  prelude.writeUInt32BE(headers.length, 4)
  const message = Buffer.concat([prelude, checksum(prelude), headers, body])
  return Buffer.concat([message, checksum(message)])
}

function header(name: string, value: string): Buffer {
  const stringType = 7
  const size = Buffer.alloc(2)
  size.writeUInt16BE(value.length)
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([stringType]),
    size,
    Buffer.from(value),
  ])
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}
