import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AttributeTable, normalized } from '../../test/decoded-span.ts'

/*
 * Tokens and dollars, in every vocabulary but those of OpenTelemetry and OpenInference.
 */

function counted(attributes: AttributeTable) {
  const span = normalized(attributes)
  return [
    ...[span.tokensIn, span.tokensOut],
    ...[span.tokensCacheRead, span.tokensCacheWrite, span.tokensReasoning],
  ]
}

const json = JSON.stringify
const langfuse = (usage: object) => ({ 'langfuse.observation.usage_details': json(usage) })

describe('Langfuse’s buckets', () => {
  test.each([
    [
      'exclude each other',
      { input: 34, input_cached_tokens: 16, output: 16, output_reasoning_tokens: 4, total: 70 },
      [50, 20, 16, null, 4],
    ],
    [
      'are named by anybody',
      { input: 24, cache_read_input_tokens: 16, cache_creation_input_tokens: 10, output: 5 },
      [50, 5, 16, 10, null],
    ],
    [
      'include their details where the total proves it',
      { input: 50, input_cached_tokens: 16, output: 20, total: 70 },
      [50, 20, 16, null, null],
    ],
    [
      'may count parts of the input apart',
      { input: 30, input_audio_tokens: 5, output: 2, total: 37 },
      [35, 2, null, null, null],
    ],
    ['may hold the cache alone', { input_cached_tokens: 16 }, [16, null, 16, null, null]],
    ['may hold anything else', { images: 2, input: 'many', output: -1 }, Array(5).fill(null)],
    [
      'are what OpenAI reports, with details included',
      {
        prompt_tokens: 50,
        completion_tokens: 20,
        total_tokens: 70,
        prompt_tokens_details: { cached_tokens: 16, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
      [50, 20, 16, null, 4],
    ],
    [
      'are what OpenAI’s responses tell',
      {
        input_tokens: 50,
        output_tokens: 20,
        total_tokens: 70,
        input_tokens_details: { cached_tokens: 16 },
        output_tokens_details: { reasoning_tokens: 4 },
      },
      [50, 20, 16, null, 4],
    ],
    [
      'are what Anthropic reports, the cache separate from the input',
      {
        input_tokens: 24,
        output_tokens: 20,
        cache_read_input_tokens: 16,
        cache_creation_input_tokens: 10,
      },
      [50, 20, 16, 10, null],
    ],
  ])('%s', (_situation, usage, expected) => {
    expect(counted(langfuse(usage))).toEqual(expected)
  })

  test('T4: whatever they are called, every token is counted once', () => {
    const part = fc.constantFrom('input', 'output')
    const rest = fc.stringMatching(/^_[abd-gj-nqsv-z]{1,8}$/)
    const count = fc.nat({ max: 10_000 })
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(part, rest, count), { selector: ([a, b]) => a + b }),
        (all) => {
          const usage = Object.fromEntries(all.map(([a, b, n]) => [a + b, n]))
          const sum = (of: string) =>
            all.some(([a]) => a === of)
              ? all.filter(([a]) => a === of).reduce((total, [, , n]) => total + n, 0)
              : null
          expect(counted(langfuse(usage)).slice(0, 2)).toEqual([sum('input'), sum('output')])
        },
      ),
    )
  })

  test.each([
    ['no object', '[1]'],
    ['no JSON', '{"input":'],
    ['too much to be a table of counts', json({ input: 1, note: 'x'.repeat(30_000) })],
    ['names that mean something to JavaScript', '{"__proto__":{"input":1},"constructor":5}'],
  ])('%s counts nothing', (_situation, reported) => {
    expect(counted({ 'langfuse.observation.usage_details': reported })).toEqual(Array(5).fill(null))
  })
})

describe('the AI SDK of before 7', () => {
  test('reports the same count in several places, which count once', () => {
    const span = counted({
      'ai.usage.inputTokens': 50,
      'ai.usage.promptTokens': 50,
      'ai.usage.cachedInputTokens': 16,
      'ai.usage.inputTokenDetails.cacheReadTokens': 16,
      'ai.usage.inputTokenDetails.noCacheTokens': 34,
      'ai.usage.outputTokens': 20,
      'ai.usage.reasoningTokens': 4,
      'ai.usage.outputTokenDetails.reasoningTokens': 4,
      'gen_ai.usage.input_tokens': 50,
    })
    expect(span).toEqual([50, 20, 16, null, 4])
  })

  const anthropic = { 'ai.model.provider': 'anthropic.messages', 'ai.usage.outputTokens': 5 }
  test.each([
    [
      'Anthropic’s cache is separate from the input, whatever the total',
      { 'ai.usage.inputTokens': 24, 'ai.usage.cachedInputTokens': 16, 'ai.usage.totalTokens': 29 },
      [40, 5, 16, null, null],
    ],
    [
      'Anthropic’s cache may be in the provider’s metadata only',
      {
        'ai.usage.promptTokens': 24,
        'ai.response.providerMetadata': json({
          anthropic: { cacheReadInputTokens: 16, cacheCreationInputTokens: 10 },
        }),
      },
      [50, 5, 16, 10, null],
    ],
    [
      'within the input where the SDK has settled it',
      {
        'ai.usage.inputTokens': 50,
        'ai.usage.inputTokenDetails.noCacheTokens': 24,
        'ai.usage.inputTokenDetails.cacheReadTokens': 16,
        'ai.usage.inputTokenDetails.cacheWriteTokens': 10,
      },
      [50, 5, 16, 10, null],
    ],
  ])('%s', (_situation, reported, expected) => {
    expect(counted({ ...anthropic, ...reported })).toEqual(expected)
  })

  test('Bedrock’s metadata is under its own key', () => {
    const usage = { cacheReadInputTokens: 16, cacheWriteInputTokens: 10 }
    const reported = {
      'ai.model.provider': 'amazon-bedrock',
      'ai.usage.promptTokens': 24,
      'ai.response.providerMetadata': json({ bedrock: { usage } }),
    }
    expect(counted(reported)).toEqual([50, null, 16, 10, null])
  })
})

describe('writes to the cache for an hour and for five minutes', () => {
  test('are one count with two parts, which are not added to it', () => {
    const reported = {
      'gen_ai.usage.input_tokens': 50,
      'gen_ai.usage.cache_creation.input_tokens': 10,
      'anthropic.usage.cache_creation.ephemeral_5m_input_tokens': 6,
      'anthropic.usage.cache_creation.ephemeral_1h_input_tokens': 4,
    }
    expect(counted(reported)).toEqual([50, null, null, 10, null])
    expect(normalized(reported).tokensCacheWrite1h).toBe(4)
  })

  test('have no split where it is not reported', () => {
    expect(normalized({ 'gen_ai.usage.cache_write.input_tokens': 10 })).toMatchObject({
      tokensCacheWrite: 10,
      tokensCacheWrite1h: null,
    })
  })
})

describe('others', () => {
  test.each([
    [
      'MLflow',
      {
        'mlflow.chat.tokenUsage': json({
          input_tokens: 50,
          output_tokens: 20,
          total_tokens: 70,
          cache_read_input_tokens: 16,
        }),
      },
      [50, 20, 16, null, null],
    ],
    [
      'LangSmith, details as attributes',
      {
        'langsmith.span.kind': 'llm',
        'gen_ai.usage.input_tokens': 50,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.usage.input_token_details': json({ audio: 0, cache_read: 16, cache_creation: 3 }),
        'gen_ai.usage.output_token_details': json({ reasoning: 4 }),
      },
      [50, 20, 16, 3, 4],
    ],
    [
      'Pydantic AI’s sum over an agent',
      {
        'pydantic_ai.all_messages': '[]',
        'gen_ai.aggregated_usage.input_tokens': 130,
        'gen_ai.aggregated_usage.output_tokens': 32,
        'gen_ai.aggregated_usage.cache_read.input_tokens': 32,
        'gen_ai.aggregated_usage.details.reasoning_tokens': 4,
      },
      [130, 32, 32, null, 4],
    ],
    [
      'Google ADK of before 2.3, whose cache and thoughts are in the response only',
      {
        'gcp.vertex.agent.llm_response': json({
          content: { parts: [{ text: '"prompt_token_count": 9' }] },
          usage_metadata: {
            prompt_token_count: 50,
            candidates_token_count: 16,
            thoughts_token_count: 4,
            cached_content_token_count: 16,
          },
        }),
      },
      [50, 20, 16, null, 4],
    ],
    [
      'OpenLLMetry of 2025 for Anthropic, without a total',
      {
        'llm.request.type': 'chat',
        'gen_ai.system': 'Anthropic',
        'gen_ai.usage.prompt_tokens': 24,
        'gen_ai.usage.completion_tokens': 20,
        'gen_ai.usage.cache_read_input_tokens': 16,
        'gen_ai.usage.cache_creation_input_tokens': 10,
      },
      [50, 20, 16, 10, null],
    ],
    [
      'LiteLLM, details in the notation of Python',
      {
        'litellm.call_id': 'c',
        'gen_ai.usage.input_tokens': 50,
        'gen_ai.usage.output_tokens': 20,
        'metadata.usage_object':
          "{'completion_tokens': 20, 'prompt_tokens': 50, 'total_tokens': 70, 'completion_tokens_details': {'audio_tokens': None, 'reasoning_tokens': 4}, 'prompt_tokens_details': {'cached_tokens': 16}}",
      },
      [50, 20, 16, null, 4],
    ],
    [
      'LangSmith, details in the notation of Python',
      {
        'langsmith.span.kind': 'llm',
        'gen_ai.usage.input_tokens': 50,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.usage.input_token_details': "{'audio': None, 'cache_read': 16}",
        'gen_ai.usage.output_token_details': "{'audio': None, 'reasoning': 4}",
      },
      [50, 20, 16, null, 4],
    ],
    [
      'Logfire, details in the provider’s own usage',
      {
        'logfire.msg': 'm',
        'gen_ai.usage.input_tokens': 50,
        'gen_ai.usage.raw': json({
          prompt_tokens: 50,
          completion_tokens: 20,
          prompt_tokens_details: { cached_tokens: 16 },
        }),
      },
      [50, 20, 16, null, null],
    ],
  ])('%s', (_sender, attributes, expected) => {
    expect(counted(attributes)).toEqual(expected)
  })

  test('a step of smolagents has running totals, and counts nothing', () => {
    const step = {
      'openinference.span.kind': 'CHAIN',
      'input.value': '{"memory_step": "ActionStep(step_number=2)"}',
      'llm.token_count.prompt': 130,
    }
    expect(normalized(step, { name: 'Step 2' }).tokensIn).toBeNull()
    expect(normalized(step, { name: 'Answer' }).tokensIn).toBe(130)
    expect(normalized({ ...step, 'input.value': '{}' }, { name: 'Step 2' }).tokensIn).toBe(130)
  })
})

describe('dollars', () => {
  test.each([
    ['Langfuse’s total', { 'langfuse.observation.cost_details': '{"input":1,"total":0.5}' }, 0.5],
    ['Langfuse’s parts', { 'langfuse.observation.cost_details': '{"input":0.5,"output":1}' }, 1.5],
    ['Langfuse’s empty table', { 'langfuse.observation.cost_details': '{}' }, null],
    ['LiteLLM', { 'gen_ai.cost.total_cost': 0.25 }, 0.25],
    ['LiteLLM’s newer name', { 'litellm.cost.total': 0.5, 'gen_ai.cost.total_cost': 0.25 }, 0.5],
    ['MLflow', { 'mlflow.llm.cost': '{"input_cost":1,"total_cost":2}' }, 2],
    ['Pydantic AI', { 'logfire.msg': 'm', 'operation.cost': 0.125 }, 0.125],
    ['OpenRouter', { 'gen_ai.usage.total_cost': '0.75' }, 0.75],
  ])('%s', (_sender, attributes, costUsd) => {
    expect(normalized(attributes).costUsd).toBe(costUsd)
  })
})

describe('Genkit', () => {
  const call = (output: object) => ({
    'genkit:type': 'action',
    'genkit:metadata:subtype': 'model',
    'genkit:name': 'googleai/gemini-2.5-flash',
    'genkit:output': JSON.stringify(output),
  })

  test('T5: its own counts are read where the provider’s response has none; thoughts are beside the output', () => {
    const usage = { inputTokens: 80, outputTokens: 12, cachedContentTokens: 16, thoughtsTokens: 4 }
    const span = call({ usage, raw: { modelVersion: 'gemini-2.5-flash-001' } })
    expect(normalized(span)).toMatchObject({
      ...{ kind: 'llm', model: 'gemini-2.5-flash-001', tokensIn: 80, tokensOut: 16 },
      ...{ tokensCacheRead: 16, tokensReasoning: 4 },
    })
  })

  test('text of the answer that looks like usage is not read', () => {
    const usage = { inputTokens: 80, outputTokens: 12 }
    const text = '"usage":{"inputTokens":1}'
    const tool = { toolRequest: { input: { usage: { inputTokens: 2 }, raw: { model: 'x' } } } }
    const span = call({ message: { content: [{ text }, tool] }, usage })
    expect(normalized(span)).toMatchObject({ model: 'gemini-2.5-flash', tokensIn: 80 })
  })

  test('a flow is a chain without tokens', () => {
    const flow = { ...call({ usage: { inputTokens: 80 } }), 'genkit:metadata:subtype': 'flow' }
    expect(normalized(flow)).toMatchObject({ kind: 'chain', model: null, tokensIn: null })
  })
})
