import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Piece,
  streamCompletion,
  streamMessage,
  toArguments,
  toCompletionUsage,
  toTokens,
  type ScriptedUsage as Usage,
} from './scripted-stream.ts'

/*
 * A model provider that follows a script, over HTTP: OpenAI's chat completions and Anthropic's messages. It answers,
 * refuses, stalls, breaks the connection, responds with errors or with something else than it was asked for, and
 * records what it receives. Requests with `stream: true` get the same as a stream.
 */

export interface ScriptedModel {
  /** The base URL, for all providers. */
  readonly url: string
  /** In the order of arrival. */
  readonly requests: readonly ReceivedCall[]
  /** Requests that have no response yet. */
  readonly open: number
  /** The most requests that were open at once. */
  readonly mostOpen: number
  /** The responses to the next requests, each to one. */
  play(...steps: readonly Step[]): void
  /** The response to all requests beyond those of `play`. */
  always(step: Step): void
  /** Resolves when so many requests have arrived in all. */
  received(count: number): Promise<void>
  /** Resolves when no request is open any more, for whatever reason. */
  idle(): Promise<void>
  close(): Promise<void>
}

export interface ReceivedCall {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
  readonly system: string
  /** Of all messages but the system's. */
  readonly texts: readonly string[]
  /** Whether it asks for an object, by a response format or a forced tool. */
  readonly wantsObject: boolean
}

/** What the model does with one request, or a function that decides it by the request. */
export type Step = Response | ((call: ReceivedCall) => Response)

type Response =
  /** In the channel that the request asks for: an object as JSON, a text as it is. */
  | { readonly answer: unknown; readonly usage?: Usage | null; readonly stop?: 'length' }
  /** Several objects in that channel. */
  | { readonly answers: readonly unknown[] }
  /** Calls of tools, with a text beside them. Arguments that are a text are sent as they are. */
  | {
      readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
      readonly text?: string
      readonly usage?: Usage | null
    }
  /** A text outside of that channel, where there is such a thing; else instead of the object. */
  | { readonly prose: string }
  /** The model or a content filter refuses. */
  | { readonly refusal: string }
  /** A stream, piece by piece; requests without `stream: true` get its texts at once. */
  | {
      readonly pieces: Iterable<Piece>
      readonly perSecond?: number
      readonly usage?: Usage | null
      readonly stop?: 'length' | 'filter'
    }
  | { readonly status: number; readonly message?: string; readonly headers?: Headers }
  /** A response body with status 200 that is not in the provider's form. */
  | { readonly garbage: string }
  /** No response. `cut` closes the connection within one, `hang-up` before it. */
  | 'stall'
  | 'cut'
  | 'hang-up'

type Headers = Readonly<Record<string, string>>

const usualUsage: Usage = { input: 100, output: 10, cacheRead: 40, reasoning: 4 }

export async function startScriptedModel(): Promise<ScriptedModel> {
  const requests: ReceivedCall[] = []
  const steps: Step[] = []
  let usual: Step = { answer: 'Yes.' }
  let open = 0
  let mostOpen = 0
  const changes = new EventTarget()
  const changed = () => changes.dispatchEvent(new Event('change'))

  const server = createServer((request, response) => {
    open += 1
    mostOpen = Math.max(mostOpen, open)
    response.once('close', () => {
      open -= 1
      changed()
    })
    void readCall(request).then((call) => {
      requests.push(call)
      changed()
      const step = steps.shift() ?? usual
      respond(call, typeof step === 'function' ? step(call) : step, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await once(changes, 'change')
  }
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get open() {
      return open
    },
    get mostOpen() {
      return mostOpen
    },
    play: (...more) => void steps.push(...more),
    always: (step) => void (usual = step),
    received: (count) => until(() => requests.length >= count),
    idle: () => until(() => open === 0),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readCall(request: IncomingMessage): Promise<ReceivedCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as ReceivedCall['body']
  const messages = (body['messages'] ?? []) as readonly Message[]
  const isSystem = ({ role }: Message) => role === 'system' || role === 'developer'
  const choice = body['tool_choice'] as { readonly type?: string } | undefined
  return {
    path: request.url ?? '',
    headers: request.headers,
    body,
    system: toText(body['system'] ?? messages.find(isSystem)?.content),
    texts: messages.filter((one) => !isSystem(one)).map(({ content }) => toText(content)),
    wantsObject: body['response_format'] !== undefined || choice?.type === 'tool',
  }
}

interface Message {
  readonly role: string
  readonly content: unknown
}

function toText(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = (content ?? []) as readonly { readonly text?: string }[]
  return parts.map(({ text }) => text ?? '').join('')
}

function respond(call: ReceivedCall, step: Response, response: ServerResponse): void {
  if (step === 'stall') return
  if (step === 'hang-up') {
    response.destroy()
    return
  }
  const isStream = call.body['stream'] === true
  if (step === 'cut') {
    if (isStream) return void stream(call, { pieces: [{ ending: 'cut' }] }, response)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"id":', () => response.destroy())
    return
  }
  const isAnthropic = call.path.endsWith('/messages')
  if ('status' in step) {
    const { status, message = 'The script says so.', headers = {} } = step
    const error = { type: 'error', message, code: null }
    send(response, status, { type: 'error', error }, headers)
  } else if ('garbage' in step) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(step.garbage)
  } else if (isStream) {
    void stream(call, step, response)
  } else {
    const whole = 'pieces' in step ? toWhole(step) : step
    send(response, 200, isAnthropic ? toMessage(call, whole) : toCompletion(call, whole))
  }
}

function send(response: ServerResponse, status: number, body: object, headers: Headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

type Streamed = Extract<Response, { readonly pieces: Iterable<Piece> }>
type Written = Exclude<Response, string | { status: number } | { garbage: string } | Streamed>

async function stream(
  { body, path, headers }: ReceivedCall,
  step: Written | Streamed,
  response: ServerResponse,
): Promise<void> {
  const streamed = {
    model: body['model'],
    pieces: 'pieces' in step ? step.pieces : toPieces(step),
    perSecond: 'perSecond' in step ? step.perSecond : undefined,
    usage: usageOf(step),
    stop: 'stop' in step ? step.stop : undefined,
  }
  if (path.endsWith('/messages')) return await streamMessage(response, streamed, usualUsage)
  const options = body['stream_options'] as { readonly include_usage?: boolean } | undefined
  const isMistral = /\bmistral\b/.test(String(headers['user-agent']))
  const place = options?.include_usage === true ? 'apart' : isMistral ? 'at-end' : 'nowhere'
  await streamCompletion(response, streamed, place)
}

function toPieces(step: Written): readonly Piece[] {
  if ('refusal' in step) return [{ refusal: step.refusal }]
  if ('calls' in step) return [...toTokens(step.text ?? ''), ...step.calls]
  return toTokens('prose' in step ? step.prose : joinObjects(step))
}

/** Without reasoning. */
function toWhole({ pieces, usage = usualUsage, stop }: Streamed): Written {
  const answer = [...pieces].filter((one) => typeof one === 'string').join('')
  if (stop === 'filter') return { refusal: answer }
  return { answer, usage, ...(stop === undefined ? {} : { stop }) }
}

function objectsOf(step: Written): readonly unknown[] {
  if ('answer' in step) return [step.answer]
  return 'answers' in step ? step.answers : []
}

function joinObjects(step: Written): string {
  const texts = objectsOf(step).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  return texts.join('\n')
}

function toCompletion({ body }: ReceivedCall, step: Written): object {
  const refusal = 'refusal' in step ? step.refusal : null
  const content = 'prose' in step ? step.prose : refusal === null ? joinObjects(step) : null
  const message = { role: 'assistant', content, refusal, ...toToolCalls(step) }
  const usage = usageOf(step)
  const isLong = 'stop' in step && step.stop === 'length'
  const end = 'calls' in step ? 'tool_calls' : 'stop'
  const choice = { index: 0, message, finish_reason: isLong ? 'length' : end }
  return {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: body['model'] },
    choices: [choice],
    ...(usage && { usage: toCompletionUsage(usage) }),
  }
}

function toToolCalls(step: Written): object {
  if (!('calls' in step)) return {}
  const { calls, text = null } = step
  return {
    content: text,
    tool_calls: calls.map((call, at) => ({
      ...{ id: `call_${at}`, type: 'function' },
      function: { name: call.name, arguments: toArguments(call) },
    })),
  }
}

function toMessage({ body, wantsObject }: ReceivedCall, step: Written): object {
  const tools = (body['tools'] ?? []) as readonly { readonly name: string }[]
  const blocks = objectsOf(step).map((one, at) =>
    wantsObject && typeof one !== 'string'
      ? { type: 'tool_use', id: `toolu_${at}`, name: tools[0]?.name, input: one }
      : { type: 'text', text: String(one) },
  )
  const text = 'prose' in step ? step.prose : 'calls' in step ? step.text : undefined
  const prose = text === undefined ? [] : [{ type: 'text', text }]
  const uses = ('calls' in step ? step.calls : []).map(({ name, arguments: input }, at) => ({
    ...{ type: 'tool_use', id: `call_${at}`, name, input },
  }))
  const { input, output, cacheRead = 0 } = usageOf(step) ?? usualUsage
  const end = (wantsObject ? blocks : uses).length > 0 ? 'tool_use' : 'end_turn'
  const isLong = 'stop' in step && step.stop === 'length'
  return {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: body['model'] },
    content: [...prose, ...blocks, ...uses],
    stop_reason: 'refusal' in step ? 'refusal' : isLong ? 'max_tokens' : end,
    stop_sequence: null,
    usage: {
      input_tokens: input - cacheRead,
      cache_read_input_tokens: cacheRead,
      cache_creation_input_tokens: 0,
      output_tokens: output,
    },
  }
}

function usageOf(step: Written | Streamed): Usage | null {
  return 'usage' in step && step.usage !== undefined ? step.usage : usualUsage
}
