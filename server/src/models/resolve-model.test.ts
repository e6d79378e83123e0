import { describe, expect, test } from 'vitest'
import { parseInstant } from '../domain/instant.ts'
import { resolveModel } from './resolve-model.ts'
import { cardAt, picosPerDollar } from './token-rates.ts'

const at = parseInstant('2026-10-01T12:00:00Z')

type Row = readonly [provider: string | null, model: string, input: number, output: number]

/** Model names as they occur in traces, with the price per million input and output tokens. */
const variants: readonly Row[] = [
  // Plain and dated.
  [null, 'gpt-4o', 2.5, 10],
  ['openai', 'gpt-4o-2024-08-06', 2.5, 10],
  ['openai', 'gpt-4o-2024-05-13', 5, 15],
  ['openai', 'gpt-4o-mini-2024-07-18', 0.15, 0.6],
  [null, 'gpt-4.1-mini-2025-04-14', 0.4, 1.6],
  ['openai', 'gpt-4-0613', 30, 60],
  ['openai', 'gpt-4-turbo-2024-04-09', 10, 30],
  ['openai', 'gpt-3.5-turbo-0125', 0.5, 1.5],
  ['openai', 'o3-2025-04-16', 2, 8],
  [null, 'o3-mini', 1.1, 4.4],
  ['openai', 'gpt-5-2025-08-07', 1.25, 10],
  ['openai', 'gpt-5-nano', 0.05, 0.4],
  ['openai', 'chatgpt-4o-latest', 5, 15],
  ['anthropic', 'claude-3-5-sonnet-20241022', 3, 15],
  [null, 'claude-3-5-sonnet-latest', 3, 15],
  ['anthropic', 'claude-3-haiku-20240307', 0.25, 1.25],
  ['anthropic', 'claude-sonnet-4-20250514', 3, 15],
  ['anthropic', 'claude-opus-4-1-20250805', 15, 75],
  [null, 'claude-haiku-4-5', 1, 5],
  ['anthropic', 'claude-opus-4-5-20251101', 5, 25],
  ['gcp.gemini', 'gemini-2.5-pro', 1.25, 10],
  ['gcp.gemini', 'gemini-2.5-flash-lite', 0.1, 0.4],
  [null, 'gemini-2.0-flash-001', 0.1, 0.4],
  ['mistral_ai', 'mistral-large-latest', 2, 6],
  ['x_ai', 'grok-4-0709', 3, 15],
  ['deepseek', 'deepseek-chat', 0.27, 1.1],
  ['cohere', 'command-r-plus-08-2024', 2.5, 10],
  ['groq', 'llama-3.3-70b-versatile', 0.59, 0.79],
  // With a provider or vendor prefix.
  [null, 'openai/gpt-4o-mini', 0.15, 0.6],
  [null, 'openai:gpt-4o', 2.5, 10],
  [null, 'anthropic/claude-sonnet-4-5', 3, 15],
  [null, 'anthropic:claude-3-5-haiku-latest', 0.8, 4],
  [null, 'gemini/gemini-2.5-flash', 0.3, 2.5],
  [null, 'google-gla:gemini-2.5-flash', 0.3, 2.5],
  ['gcp.gemini', 'models/gemini-1.5-flash', 0.075, 0.3],
  [null, 'xai/grok-3-mini', 0.3, 0.5],
  [null, 'groq/llama-3.1-8b-instant', 0.05, 0.08],
  [null, 'mistral/codestral-latest', 0.3, 0.9],
  ['openrouter', 'anthropic/claude-3.5-sonnet', 3, 15],
  ['openrouter', 'openai/gpt-4o', 2.5, 10],
  [null, 'openrouter/openai/gpt-4o-mini', 0.15, 0.6],
  ['litellm', 'anthropic/claude-opus-4-1', 15, 75],
  // Bedrock: plain, with a region, as an ARN.
  ['aws.bedrock', 'anthropic.claude-3-5-sonnet-20240620-v1:0', 3, 15],
  ['aws.bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3.3, 16.5],
  ['aws.bedrock', 'global.anthropic.claude-sonnet-4-5-20250929-v1:0', 3, 15],
  ['aws.bedrock', 'eu.anthropic.claude-haiku-4-5-20251001-v1:0', 1.1, 5.5],
  ['aws.bedrock', 'amazon.nova-lite-v1:0', 0.06, 0.24],
  ['aws.bedrock', 'us.amazon.nova-pro-v1:0', 0.8, 3.2],
  ['aws.bedrock', 'us.meta.llama3-3-70b-instruct-v1:0', 0.72, 0.72],
  [null, 'bedrock/us.anthropic.claude-3-7-sonnet-20250219-v1:0', 3, 15],
  [
    'aws.bedrock',
    'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0',
    0.25,
    1.25,
  ],
  [
    'aws.bedrock',
    'arn:aws:bedrock:us-west-2:123456789012:inference-profile/us.anthropic.claude-opus-4-1-20250805-v1:0',
    15,
    75,
  ],
  // Vertex.
  ['gcp.vertex_ai', 'claude-3-5-sonnet-v2@20241022', 3, 15],
  ['gcp.vertex_ai', 'claude-sonnet-4-5@20250929', 3, 15],
  ['gcp.vertex_ai', 'publishers/google/models/gemini-2.5-pro', 1.25, 10],
  [
    'gcp.vertex_ai',
    'projects/acme/locations/us-east5/publishers/anthropic/models/claude-opus-4-1@20250805',
    15,
    75,
  ],
  ['vertex_ai', 'gemini-1.5-pro-002', 1.25, 5],
  // Azure, whose model names drop a dot.
  ['azure.ai.openai', 'gpt-4o-2024-11-20', 2.5, 10],
  ['az.ai.openai', 'gpt-35-turbo', 0.5, 1.5],
  ['azure', 'azure/gpt-4o-mini', 0.15, 0.6],
  ['azure.ai.openai', 'o4-mini-2025-04-16', 1.1, 4.4],
  // Fine-tuned models.
  ['openai', 'ft:gpt-4o-mini-2024-07-18:acme:support:AbC123', 0.3, 1.2],
  ['openai', 'ft:gpt-4o-2024-08-06:acme::xYz', 3.75, 15],
  ['openai', 'ft:gpt-4.1-mini-2025-04-14:acme::B7', 0.8, 3.2],
  // With reasoning effort, context size or other spelling.
  ['openai', 'o3-mini-high', 1.1, 4.4],
  ['openai', 'gpt-5-mini (high)', 0.25, 2],
  ['anthropic', 'claude-sonnet-4-5-20250929[1m]', 3, 15],
  [null, 'claude-4.5-sonnet', 3, 15],
  ['anthropic', 'Claude-Sonnet-4.5', 3, 15],
  ['openai', 'GPT-4O', 2.5, 10],
  // Embeddings.
  ['openai', 'text-embedding-3-small', 0.02, 0],
]

/** A second set, written after the rules. */
const others: readonly Row[] = [
  ['azure', 'azure/eu/gpt-4o-2024-08-06', 2.5, 10],
  ['azure', 'azure/global/gpt-4.1', 2, 8],
  ['openrouter', 'mistralai/mistral-large-2411', 2, 6],
  ['openrouter', 'google/gemini-2.5-pro', 1.25, 10],
  ['openrouter', 'anthropic/claude-sonnet-4.5', 3, 15],
  ['openrouter', 'anthropic/claude-sonnet-4.5:thinking', 3, 15],
  ['openrouter', 'meta-llama/llama-3.3-70b-instruct:free', 0, 0],
  ['openrouter.chat', 'openai/gpt-4o:online', 2.5, 10],
  ['openai', 'anthropic/claude-haiku-4.5', 1, 5],
  ['openai', 'gemini-2.5-flash', 0.3, 2.5],
  ['openai.responses', 'gpt-4.1', 2, 8],
  ['anthropic.messages', 'claude-haiku-4-5-20251001', 1, 5],
  ['amazon-bedrock', 'us.anthropic.claude-haiku-4-5-20251001-v1:0', 1.1, 5.5],
  ['google.generative-ai', 'gemini-2.5-flash-preview-09-2025', 0.3, 2.5],
  ['google.vertex.chat', 'gemini-2.5-pro', 1.25, 10],
  ['MistralAI', 'mistral-small-latest', 0.1, 0.3],
  ['xai.chat', 'grok-3-latest', 3, 15],
  ['togetherai', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', 0.88, 0.88],
  ['fireworks', 'accounts/fireworks/models/deepseek-v3-0324', 0.9, 0.9],
  ['strands-agents', 'us.anthropic.claude-sonnet-4-20250514-v1:0', 3, 15],
  ['gcp.vertex.agent', 'gemini-2.0-flash', 0.1, 0.4],
  ['langchain', 'gpt-4o-mini', 0.15, 0.6],
  ['gateway', 'openai/gpt-5-nano', 0.05, 0.4],
  ['_OTHER', 'claude-3-opus-20240229', 15, 75],
  [null, 'vertex_ai/claude-3-5-haiku@20241022', 0.8, 4],
  [null, 'vertex_ai/gemini-2.5-flash', 0.3, 2.5],
  [null, 'bedrock/converse/anthropic.claude-3-haiku-20240307-v1:0', 0.25, 1.25],
  [null, 'bedrock/us-east-1/anthropic.claude-3-5-sonnet-20240620-v1:0', 3, 15],
  [null, 'bedrock:eu.anthropic.claude-3-7-sonnet-20250219-v1:0', 3, 15],
  [null, 'anthropic.claude-3-haiku-20240307-v1:0', 0.25, 1.25],
  ['aws.bedrock', 'anthropic.claude-3-haiku-20240307-v1:0:200k', 0.25, 1.25],
  ['aws.bedrock', 'apac.anthropic.claude-opus-4-8', 5.5, 27.5],
  [null, 'litellm_proxy/openai/gpt-4o', 2.5, 10],
  [null, 'deepseek/deepseek-reasoner', 0.55, 2.19],
  [null, 'perplexity/sonar-pro', 3, 15],
  [null, 'cohere/command-r-08-2024', 0.15, 0.6],
  ['openai', 'o4-mini-low', 1.1, 4.4],
  [null, 'claude-3.7-sonnet-thinking', 3, 15],
  [null, 'claude-3.5-haiku', 0.8, 4],
  [null, 'Claude 3.5 Sonnet', 3, 15],
  [null, '\u001b[1mclaude-opus-4-6\u001b[22m', 5, 25],
  ['anthropic', 'claude-opus-4-6[1m]', 5, 25],
  ['openai', ' gpt-4o\n', 2.5, 10],
  ['openai', 'gpt-4o-2030-01-01', 2.5, 10],
  ['openai', 'text-embedding-ada-002', 0.1, 0],
  ['openai', 'text-embedding-3-large', 0.13, 0],
  ['google', 'gemini-embedding-001', 0.15, 0],
  ['voyageai', 'voyage-3-large', 0.18, 0],
  ['cohere', 'embed-v4.0', 0.12, 0],
  ['openai', 'ft:gpt-3.5-turbo-0125:acme::A1', 3, 6],
  ['openai', 'ft:gpt-4.1-2025-04-14:acme:shop:xyz', 3, 12],
  ['openai', 'gpt-5.1-codex-max', 1.25, 10],
]

/** Names without a listed price, which must not match a similar model. */
const unpriced: readonly (readonly [string | null, string, string])[] = [
  ['azure.ai.openai', 'support-bot-prod', 'unknown_model'],
  ['ollama', 'llama3.1:8b', 'local_model'],
  ['vllm', 'gpt-4o', 'local_model'],
  ['ollama', 'openai/gpt-4o', 'local_model'],
  ['deepinfra', 'google/gemini-2.5-pro', 'unknown_provider'],
  [null, 'ollama/gpt-oss:20b', 'local_model'],
  [null, 'hosted_vllm/qwen2.5-72b-instruct', 'local_model'],
  [null, 'lm_studio/gemma-3-12b', 'local_model'],
  ['my-own-gateway', 'gpt-4o', 'unknown_provider'],
  ['openai-compatible', 'gpt-4o', 'unknown_provider'],
  ['databricks', 'databricks-claude-sonnet-4', 'unknown_provider'],
  [null, 'replicate/meta/meta-llama-3-70b-instruct', 'unknown_provider'],
  [null, 'gpt-oss-120b', 'unknown_model'],
  ['openai', 'gpt-oss-120b', 'unknown_model'],
  [null, 'llama-3.3-70b-instruct', 'unknown_model'],
  [null, 'deepseek-r1', 'unknown_model'],
  ['openai', 'gpt-99', 'unknown_model'],
  ['openai', 'gpt-4o-foo', 'unknown_model'],
  ['openai', 'gpt-5-turbo', 'unknown_model'],
  ['anthropic', 'claude-sonnet-9', 'unknown_model'],
  ['anthropic', 'claude-sonnet-5-5', 'unknown_model'],
  ['anthropic', 'claude-opus-4-15', 'unknown_model'],
  ['anthropic', 'claude-opus-4-6-fast', 'unknown_model'],
  ['google', 'gemini-1.5-flash-9b', 'unknown_model'],
  ['google', 'tunedModels/support-1', 'unknown_model'],
  ['azure', 'team-o4-mini-staging', 'unknown_model'],
  ['openai', 'ft:gpt-9:acme::1', 'unknown_model'],
  [
    'aws.bedrock',
    'arn:aws:bedrock:us-east-1:123456789012:application-profile/abc123def456',
    'unknown_model',
  ],
  ['gcp.vertex_ai', 'projects/acme/locations/us/endpoints/1234567890', 'unknown_model'],
  ['openrouter', 'openrouter/auto', 'unknown_model'],
  ['mistral', 'mistral-small-2503', 'unknown_model'],
  ['cursor', 'claude-4.5-sonnet', 'unknown_model'],
  [null, 'constructor', 'unknown_model'],
  [null, '__proto__', 'unknown_model'],
  [null, '', 'unknown_model'],
]

describe('T10: a model name', () => {
  test.each([...variants, ...others])('(%s) %s has the price of its model', (...row) => {
    const [provider, model, input, output] = row
    expect(findPrice(provider, model)).toEqual([input, output])
  })

  test.each(unpriced)('(%s) %s has no price: %s', (provider, model, reason) => {
    expect(resolveModel(provider, model)).toEqual({ reason })
  })
})

function findPrice(provider: string | null, model: string): readonly number[] | string {
  const resolution = resolveModel(provider, model)
  if ('reason' in resolution) return resolution.reason
  const card = cardAt(resolution.listed.schedule, at)?.card
  if (card === undefined || card === null) return 'not priced by tokens'
  return [card.base.input, card.base.output].map((rate) => (rate * 1e6) / picosPerDollar)
}
