import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * The streamed responses of the scripted model: OpenAI's chunks and Anthropic's events. What the response is made of
 * comes from the script; its pace too.
 */

/** A part of a streamed response, in order. */
export type Piece =
  /** Of the text: one event. */
  | string
  /** One event. Anthropic's `thinking`, and `reasoning_content` where OpenAI's API has been extended by it. */
  | { readonly reasoning: string }
  | { readonly refusal: string }
  | ScriptedCall
  /** Nothing is sent for so long. */
  | { readonly silentMs: number }
  /** Nothing is sent until the test resolves it. */
  | { readonly until: Promise<unknown> }
  /** The provider's error event with this message; nothing follows. `code`: of OpenAI; of Anthropic, the type. */
  | { readonly error: string; readonly code?: string }
  /** Bytes as they are, in or out of the form of the stream. */
  | { readonly raw: string | Uint8Array }
  /** Nothing follows: the connection is closed in the middle, stays open, or the response ends early. */
  | { readonly ending: 'cut' | 'stall' | 'end' }

interface ScriptedCall {
  readonly name: string
  readonly arguments: unknown
}

export interface ScriptedUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly reasoning?: number
}

export interface StreamedResponse {
  readonly model: unknown
  /** Read as the client reads, so it can be endless. */
  readonly pieces: Iterable<Piece>
  /** Of pieces with content. Default: as fast as they are read. */
  readonly perSecond: number | undefined
  /** Null: the provider reports none. */
  readonly usage: ScriptedUsage | null
  readonly stop: 'length' | 'filter' | undefined
}

/** The tokens of a text, about as models make them. */
export function toTokens(text: string): string[] {
  return text.match(/\s*\S{1,6}|\s+$/g) ?? []
}

/** How a provider phrases the parts of a response. */
interface Form {
  start(): readonly SentEvent[]
  piece(piece: Content): readonly SentEvent[]
  error(message: string, code: string | undefined): readonly SentEvent[]
  end(): readonly SentEvent[]
}

interface SentEvent {
  readonly event?: string
  readonly data: unknown
}

type Content = string | { readonly reasoning: string } | { readonly refusal: string } | ScriptedCall

/** OpenAI's is in a chunk of its own if it is asked for, Mistral's with the finish reason. */
type UsagePlace = 'apart' | 'at-end' | 'nowhere'

export async function streamCompletion(
  response: ServerResponse,
  streamed: StreamedResponse,
  usagePlace: UsagePlace,
): Promise<void> {
  await write(response, streamed, completionForm(streamed, usagePlace))
}

export async function streamMessage(
  response: ServerResponse,
  streamed: StreamedResponse,
  defaultUsage: ScriptedUsage,
): Promise<void> {
  await write(response, streamed, messageForm(streamed, streamed.usage ?? defaultUsage))
}

async function write(
  response: ServerResponse,
  { pieces, perSecond }: StreamedResponse,
  form: Form,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  const sendText = async (text: string | Uint8Array) => {
    if (text.length > 0 && !response.write(text)) await once(response, 'drain', left)
  }
  const send = (events: readonly SentEvent[]) => sendText(events.map(toEventText).join(''))
  const startedAt = performance.now()
  let sent = 0
  const sendContent = async (piece: Content) => {
    const dueMs = startedAt + (sent++ * 1000) / (perSecond ?? Infinity) - performance.now()
    if (dueMs > 0) await sleep(dueMs, undefined, left)
    await send(form.piece(piece))
  }
  try {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    await send(form.start())
    for (const piece of pieces) {
      left.signal.throwIfAborted()
      if (typeof piece === 'string') await sendContent(piece)
      else if ('ending' in piece) return finish(response, piece.ending)
      else if ('silentMs' in piece) await sleep(piece.silentMs, undefined, left)
      else if ('until' in piece) await piece.until
      else if ('raw' in piece) await sendText(piece.raw)
      else if ('error' in piece) {
        await send(form.error(piece.error, piece.code))
        return finish(response, 'end')
      } else await sendContent(piece)
    }
    await send(form.end())
    response.end()
  } catch (error) {
    // The client has left.
    if (!left.signal.aborted) throw error
  }
}

function finish(response: ServerResponse, how: 'cut' | 'stall' | 'end'): void {
  if (how === 'end') response.end()
  if (how === 'cut') response.write('data: {"id":', () => response.destroy())
}

function toEventText({ event, data }: SentEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

function completionForm({ model, usage, stop }: StreamedResponse, usagePlace: UsagePlace): Form {
  const counts = usage === null ? {} : { usage: toCompletionUsage(usage) }
  const chunk = (choices: readonly object[], more: object = {}): SentEvent => ({
    data: {
      ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices },
      ...more,
    },
  })
  const delta = (changes: object, finish_reason: string | null = null, more: object = {}) =>
    chunk([{ index: 0, delta: changes, logprobs: null, finish_reason }], more)
  let calls = 0
  const reasons = { length: 'length', filter: 'content_filter' }
  return {
    start: () => [delta({ role: 'assistant', content: '' })],
    piece(piece) {
      if (typeof piece === 'string') return [delta({ content: piece })]
      if ('refusal' in piece) return [delta({ refusal: piece.refusal })]
      if ('reasoning' in piece) return [delta({ reasoning_content: piece.reasoning })]
      const index = calls++
      const call = { name: piece.name, arguments: toArguments(piece) }
      const sent = { index, id: `call_${index}`, type: 'function', function: call }
      return [delta({ tool_calls: [sent] })]
    },
    error: (message, code = 'server_error') => [
      { data: { error: { message, type: code, param: null, code } } },
    ],
    end: () => [
      delta(
        { content: '' },
        stop === undefined ? (calls > 0 ? 'tool_calls' : 'stop') : reasons[stop],
        usagePlace === 'at-end' ? counts : {},
      ),
      ...(usage !== null && usagePlace === 'apart' ? [chunk([], counts)] : []),
      { data: '[DONE]' },
    ],
  }
}

export function toCompletionUsage(usage: ScriptedUsage): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  }
}

/** Consecutive pieces of one kind are one content block. */
function messageForm(
  { model, stop }: StreamedResponse,
  { input, output, cacheRead = 0 }: ScriptedUsage,
): Form {
  const event = (type: string, more: object): SentEvent => ({
    event: type,
    data: { type, ...more },
  })
  let open: 'text' | 'thinking' | undefined
  let index = -1
  let hasCalls = false
  let isRefused = false
  const close = () => {
    if (open === undefined) return []
    open = undefined
    return [event('content_block_stop', { index })]
  }
  const begin = (content_block: object) => [
    ...close(),
    event('content_block_start', { index: ++index, content_block }),
  ]
  const inBlock = (kind: 'text' | 'thinking', content: string) => {
    const empty = kind === 'text' ? { text: '' } : { thinking: '', signature: '' }
    const started = open === kind ? [] : begin({ type: kind, ...empty })
    open = kind
    const delta = { type: `${kind}_delta`, [kind]: content }
    return [...started, event('content_block_delta', { index, delta })]
  }
  const reasons = { length: 'max_tokens', filter: 'refusal' }
  return {
    start: () => [
      event('message_start', {
        message: {
          ...{ id: 'msg_1', type: 'message', role: 'assistant', model, content: [] },
          ...{ stop_reason: null, stop_sequence: null },
          usage: {
            input_tokens: input - cacheRead,
            cache_read_input_tokens: cacheRead,
            cache_creation_input_tokens: 0,
            output_tokens: 1,
          },
        },
      }),
    ],
    piece(piece) {
      if (typeof piece === 'string') return inBlock('text', piece)
      if ('reasoning' in piece) return inBlock('thinking', piece.reasoning)
      if ('refusal' in piece) {
        isRefused = true
        return []
      }
      hasCalls = true
      const call = { type: 'tool_use', id: `call_${index + 1}`, name: piece.name, input: {} }
      const delta = { type: 'input_json_delta', partial_json: toArguments(piece) }
      return [
        ...begin(call),
        event('content_block_delta', { index, delta }),
        event('content_block_stop', { index }),
      ]
    },
    error: (message, type = 'api_error') => [event('error', { error: { type, message } })],
    end() {
      const usual = isRefused ? 'refusal' : hasCalls ? 'tool_use' : 'end_turn'
      const stop_reason = stop === undefined ? usual : reasons[stop]
      return [
        ...close(),
        event('message_delta', {
          delta: { stop_reason, stop_sequence: null },
          usage: { output_tokens: output },
        }),
        event('message_stop', {}),
      ]
    },
  }
}

export function toArguments({ arguments: sent }: ScriptedCall): string {
  return typeof sent === 'string' ? sent : JSON.stringify(sent)
}
