import { describe, expect, test } from 'vitest'
import type { AttributeValue } from './decoded-span.ts'
import { readPricingFacts } from './pricing-facts.ts'

const nothing = { provider: null, serviceTier: null, tokensCacheWrite1h: null }

const anthropicMetadata = JSON.stringify({
  anthropic: {
    usage: {
      input_tokens: 2,
      cache_creation: { ephemeral_5m_input_tokens: 6289, ephemeral_1h_input_tokens: 45_800 },
      service_tier: 'batch',
    },
  },
})

describe('what a price depends on', () => {
  test.each<[string, Record<string, AttributeValue>, object]>([
    ['no facts', { 'gen_ai.request.model': 'gpt-4o' }, {}],
    ['the provider', { 'gen_ai.provider.name': 'aws.bedrock' }, { provider: 'aws.bedrock' }],
    [
      'the provider by its old and its new name',
      { 'gen_ai.system': 'az.ai.openai', 'gen_ai.provider.name': 'azure.ai.openai' },
      { provider: 'azure.ai.openai' },
    ],
    [
      'the host rather than the maker',
      { 'llm.system': 'openai', 'llm.provider': 'azure' },
      { provider: 'azure' },
    ],
    [
      'the AI SDK',
      { 'ai.model.provider': 'anthropic.messages' },
      { provider: 'anthropic.messages' },
    ],
    [
      'a tier that was asked for',
      { 'openai.request.service_tier': 'FLEX' },
      { serviceTier: 'flex' },
    ],
    [
      'a tier that was asked for and not given',
      { 'openai.request.service_tier': 'flex', 'openai.response.service_tier': 'default' },
      { serviceTier: 'default' },
    ],
    [
      'the metadata of Anthropic in the AI SDK',
      { 'ai.response.providerMetadata': anthropicMetadata },
      { serviceTier: 'batch', tokensCacheWrite1h: 45_800 },
    ],
    [
      'the metadata of OpenAI in the AI SDK',
      { 'ai.response.providerMetadata': '{"openai":{"serviceTier":"priority"}}' },
      { serviceTier: 'priority' },
    ],
    [
      'the usage of LangSmith',
      {
        'langsmith.metadata.usage_metadata':
          '{"input_token_details":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":10}}',
      },
      { tokensCacheWrite1h: 10 },
    ],
    [
      'the usage of Logfire',
      { 'gen_ai.usage.raw': '{"cache_creation":{"ephemeral_1h_input_tokens":10}}' },
      { tokensCacheWrite1h: 10 },
    ],
    [
      'the response that MLflow records',
      {
        'mlflow.spanOutputs':
          '{"choices":[{"message":{"content":"\\"service_tier\\":\\"batch\\""}}],"service_tier":"flex"}',
      },
      { serviceTier: 'flex' },
    ],
    [
      'a response that calls a tool with a service tier',
      {
        'mlflow.spanOutputs':
          '{"content":[{"input":{"service_tier":"priority"}}],"usage":{"service_tier":"standard"}}',
      },
      { serviceTier: 'standard' },
    ],
    [
      'metadata without a service tier beside usage with one',
      {
        'ai.response.providerMetadata': '{"openai":{}}',
        'gen_ai.usage.raw': '{"service_tier":"flex"}',
      },
      { serviceTier: 'flex' },
    ],
    [
      'an hour of caching in an attribute of its own',
      { 'gen_ai.usage.cache_creation.ephemeral_1h_input_tokens': 12 },
      { tokensCacheWrite1h: 12 },
    ],
    ['a text far too long to be a name', { 'gen_ai.system': 'x'.repeat(65) }, {}],
    ['something else than text', { 'ai.response.providerMetadata': ['"service_tier":"flex"'] }, {}],
  ])('is read where a span has %s', (_what, attributes, expected) => {
    expect(readPricingFacts(new Map(Object.entries(attributes)))).toEqual({
      ...nothing,
      ...expected,
    })
  })
})
