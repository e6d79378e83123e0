import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messagesReply } from './fake-anthropic.ts'
import { converseReply, invokeReply } from './fake-bedrock.ts'
import { generateContentReply } from './fake-gemini.ts'
import { chatCompletionReply, embeddingsReply, responseReply } from './fake-openai.ts'
import type { Reply } from './fake-turn.ts'

/*
 * A model provider for real clients, without network access: OpenAI's chat completions, responses and
 * embeddings, Anthropic's messages, Gemini's generateContent and Bedrock, streamed or not. Responses are
 * deterministic. Given tools and no result yet, it calls one; otherwise it responds with text. It refuses
 * the model `refused-model`.
 */

export interface FakeProvider {
  /** The base URL for OpenAI clients; the others use it without `/v1`. */
  readonly url: string
  close(): Promise<void>
}

export const refusedModel = 'refused-model'
const refusal = 'The model `refused-model` does not exist.'

export async function startFakeProvider(): Promise<FakeProvider> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      send(response, 500, { whole: { error: { message: String(error) } } }),
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

type Replier = (body: never, path: string) => Reply

const repliers: readonly (readonly [path: RegExp, reply: Replier])[] = [
  [/^(?:\/openai)?\/v1\/chat\/completions$/, chatCompletionReply],
  [/^\/v1\/responses$/, responseReply],
  [/^\/v1\/embeddings$/, embeddingsReply],
  [/^\/v1\/messages$/, messagesReply],
  [/^\/v1(?:beta)?\/models\/[^/]+:(?:streamG|g)enerateContent$/, generateContentReply],
  [/^\/model\/[^/]+\/converse(?:-stream)?$/, converseReply],
  [/^\/model\/[^/]+\/invoke(?:-with-response-stream)?$/, invokeReply],
]

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').replace(/\?.*$/, '')
  const body = await readBody(request)
  if ((body as { readonly model?: string }).model === refusedModel) {
    const error = { message: refusal, type: 'invalid_request_error', code: null }
    send(response, 404, { whole: { error } })
    return
  }
  if (path.startsWith(`/model/${refusedModel}/`)) {
    response.setHeader('x-amzn-errortype', 'ResourceNotFoundException')
    send(response, 404, { whole: { message: refusal } })
    return
  }
  const reply = repliers.find(([form]) => form.test(path))?.[1]
  if (reply !== undefined) send(response, 200, reply(body as never, path))
  else send(response, 404, { whole: { error: { message: `No such endpoint: ${path}` } } })
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())
}

function send(response: ServerResponse, status: number, reply: Reply): void {
  if ('whole' in reply) {
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(reply.whole))
    return
  }
  if ('binary' in reply) {
    response
      .writeHead(status, { 'content-type': 'application/vnd.amazon.eventstream' })
      .end(reply.binary)
    return
  }
  response.writeHead(status, { 'content-type': 'text/event-stream' })
  for (const { event, data } of reply.events) {
    if (event !== undefined) response.write(`event: ${event}\n`)
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  response.end()
}
