import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelProvider } from '@assay/contract/model-configs.ts'
import type { OutboundInit } from '../platform/outbound-fetch.ts'
import type { EventShape } from './event-shapes.ts'
import type { GatewayModel } from './gateway-model.ts'

/*
 * The AI SDK's client for each provider. Clients are loaded when they are first used, because each takes memory and
 * time to load. Keys and addresses are always passed: the clients would otherwise read those of the operator from the
 * environment.
 */

type Endpoint = Pick<GatewayModel, 'model'> & { readonly baseURL: string; readonly apiKey: string }
type Fetch = typeof globalThis.fetch

/** For whole responses. */
export async function openLanguageModel(model: GatewayModel): Promise<LanguageModelV4> {
  return await openClient(model, model.outbound.fetch)
}

export interface StreamingOptions {
  readonly shape: EventShape
  /** Without the parameter that asks for usage, which some compatible servers do not accept. */
  readonly isPlain: boolean
  /** Replaces the body of a request. */
  readonly fill: (json: string) => Promise<readonly Uint8Array[]>
}

/** For responses that are read while they are written. */
export async function openStreamingModel(
  model: GatewayModel,
  { shape, isPlain, fill }: StreamingOptions,
): Promise<LanguageModelV4> {
  const used = model.provider === 'bedrock' ? 'frames' : shape
  const send: Send = async (url, { body, ...init }) =>
    await model.outbound.stream(url, { ...init, body: await fill(body ?? '') }, used)
  return await openClient(model, send, !isPlain)
}

async function openClient(
  model: GatewayModel,
  send: Send,
  includeUsage = true,
): Promise<LanguageModelV4> {
  const { provider, apiKey } = model
  const baseURL = toBaseUrl(provider, model.baseUrl)
  const endpoint = { model: model.model, baseURL, apiKey: apiKey ?? '' }
  return await clients[provider](endpoint, fetchThrough(send), includeUsage)
}

type Send = (
  url: string,
  init: OutboundInit & { readonly body: string | null },
) => Promise<Response>

/** `includeUsage`: of streams, where the API sends usage only if it is asked for. */
type OpenClient = (
  endpoint: Endpoint,
  fetch: Fetch,
  includeUsage: boolean,
) => Promise<LanguageModelV4>

const clients: Readonly<Record<ModelProvider, OpenClient>> = {
  async openai({ model, ...settings }, fetch) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ ...settings, fetch }).chat(model)
  },
  async anthropic({ model, ...settings }, fetch) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ ...settings, fetch })(model)
  },
  async google({ model, ...settings }, fetch) {
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle({ ...settings, fetch })(model)
  },
  // Azure's current API is OpenAI's, with the key in a header of its own.
  async azure({ model, ...settings }, fetch) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    const headers = { 'api-key': settings.apiKey }
    return createOpenAI({ ...settings, headers, name: 'azure', fetch }).chat(model)
  },
  async bedrock({ model, ...settings }, fetch) {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
    return createAmazonBedrock({ ...settings, region: 'of-the-address', fetch })(model)
  },
  async mistral({ model, ...settings }, fetch) {
    const { createMistral } = await import('@ai-sdk/mistral')
    return createMistral({ ...settings, fetch })(model)
  },
  async 'openai-compatible'({ model, baseURL, apiKey }, fetch, includeUsage) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const key = apiKey === '' ? {} : { apiKey }
    const settings = { name: 'compatible', baseURL, ...key, supportsStructuredOutputs: true }
    return createOpenAICompatible({ ...settings, includeUsage, fetch }).chatModel(model)
  },
}

const publicApis: Readonly<Partial<Record<ModelProvider, string>>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  mistral: 'https://api.mistral.ai/v1',
}

/** The path that follows an address without one: other clients of these providers add it as well. */
const usualPaths: Readonly<Partial<Record<ModelProvider, string>>> = {
  anthropic: '/v1',
  google: '/v1beta',
  azure: '/openai/v1',
  mistral: '/v1',
}

function toBaseUrl(provider: ModelProvider, baseUrl: string | null): string {
  if (baseUrl === null) return publicApis[provider] ?? ''
  const path = new URL(baseUrl).pathname === '/' ? (usualPaths[provider] ?? '') : ''
  return baseUrl + path
}

/** Requests of the clients, by the rules for outbound requests. */
function fetchThrough(send: Send): Fetch {
  return async (url, { method = 'GET', headers, body, signal } = {}) =>
    await send(url instanceof Request ? url.url : url.toString(), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? body : null,
      signal: signal ?? undefined,
    })
}
