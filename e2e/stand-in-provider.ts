import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * A model provider for real clients to call where there is no network: OpenAI's chat completions and responses,
 * not streamed. It answers the same every time. Given tools and no result yet it calls the first one;
 * else it answers in words; the model `refused-model` is refused.
 */

export interface StandInProvider {
  /** To be given to a client as its base address. */
  readonly url: string
  close(): Promise<void>
}

export const answeringModel = 'gpt-4o-mini-2024-07-18'
export const refusedModel = 'refused-model'
const refusal = 'The model `refused-model` does not exist.'

export async function startStandInProvider(): Promise<StandInProvider> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      send(response, 500, { error: { message: String(error) } }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = (await bodyOf(request)) as Asked
  if (asked.model === refusedModel) {
    send(response, 404, { error: { message: refusal, type: 'invalid_request_error', code: null } })
  } else if (request.url === '/v1/chat/completions') send(response, 200, chatCompletion(asked))
  else if (request.url === '/v1/responses') send(response, 200, modelResponse(asked))
  else send(response, 404, { error: { message: 'No such endpoint.' } })
}

/** What both endpoints have in common of a request; a tool's name is in one of two places. */
interface Asked {
  readonly model: string
  readonly messages?: readonly { readonly role: string }[]
  readonly input?: string | readonly { readonly type?: string }[]
  readonly tools?: readonly {
    readonly name?: string
    readonly function?: { readonly name: string }
  }[]
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Which turn of the one conversation this is. Input includes the cached, output the reasoning tokens. */
function turnOf({ messages = [], input = [], tools = [] }: Asked) {
  const tool = tools[0]?.function?.name ?? tools[0]?.name
  const hasResult =
    messages.some(({ role }) => role === 'tool') ||
    (typeof input !== 'string' && input.some(({ type }) => type === 'function_call_output'))
  return tool === undefined || hasResult
    ? { words: 'It is 14 degrees and raining in Paris.', input: 80, output: 12, reasoning: 0 }
    : { tool, input: 50, output: 20, reasoning: 4 }
}

const cached = 16
const created = 1_790_000_000
const toolArguments = '{"city":"Paris"}'

function chatCompletion(asked: Asked): unknown {
  const turn = turnOf(asked)
  const toolCalls = turn.tool && [
    { id: 'call_1', type: 'function', function: { name: turn.tool, arguments: toolArguments } },
  ]
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created,
    model: answeringModel,
    choices: [
      {
        index: 0,
        finish_reason: turn.tool ? 'tool_calls' : 'stop',
        logprobs: null,
        message: {
          role: 'assistant',
          content: turn.words ?? null,
          refusal: null,
          ...(toolCalls ? { tool_calls: toolCalls } : {}),
        },
      },
    ],
    usage: {
      prompt_tokens: turn.input,
      completion_tokens: turn.output,
      total_tokens: turn.input + turn.output,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: turn.reasoning },
    },
  }
}

function modelResponse(asked: Asked): unknown {
  const turn = turnOf(asked)
  const output = turn.tool
    ? {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: turn.tool,
        arguments: toolArguments,
      }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [{ type: 'output_text', text: turn.words, annotations: [] }],
      }
  return {
    id: 'resp_1',
    object: 'response',
    created_at: created,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: answeringModel,
    output: [{ ...output, status: 'completed' }],
    usage: {
      input_tokens: turn.input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: turn.output,
      output_tokens_details: { reasoning_tokens: turn.reasoning },
      total_tokens: turn.input + turn.output,
    },
  }
}
