import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AttributeTable, normalized } from '../../test/decoded-span.ts'
import type { AttributeValue } from './decoded-span.ts'

/*
 * Spans on which two conventions report the tokens of one call, each perhaps only some of them.
 */

const countNames = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'] as const
type CountName = (typeof countNames)[number]
type Counts = Partial<Record<CountName, number>>

interface Sender {
  readonly name: string
  /** Besides the counts: what shows that the span is this sender's. */
  readonly mark: AttributeTable
  readonly spanName?: string
  readonly cacheIsApart?: true
  readonly reasoningIsApart?: true
  /** What it calls each count; a count without a key is never sent. */
  readonly keys: Partial<Record<CountName, string>>
  /** Where the counts are members of one attribute. */
  readonly packed?: (members: Readonly<Record<string, number>>) => AttributeTable
}

const gemini = (members: Readonly<Record<string, number>>) => ({
  'gcp.vertex.agent.llm_response': JSON.stringify({ usage_metadata: members }),
})
const openAi = {
  input: 'prompt_tokens',
  output: 'completion_tokens',
  cacheRead: 'cached_tokens',
  cacheWrite: 'cache_creation_input_tokens',
  reasoning: 'reasoning_tokens',
}
const openInference = {
  input: 'llm.token_count.prompt',
  output: 'llm.token_count.completion',
  cacheRead: 'llm.token_count.prompt_details.cache_read',
  cacheWrite: 'llm.token_count.prompt_details.cache_write',
  reasoning: 'llm.token_count.completion_details.reasoning',
}
const aiSdk = {
  input: 'ai.usage.inputTokens',
  output: 'ai.usage.outputTokens',
  cacheRead: 'ai.usage.inputTokenDetails.cacheReadTokens',
  cacheWrite: 'ai.usage.inputTokenDetails.cacheWriteTokens',
  reasoning: 'ai.usage.outputTokenDetails.reasoningTokens',
}
const under = (prefix: string, name: string): string => `${prefix}${name}`

const senders: readonly Sender[] = [
  {
    name: 'Langfuse',
    mark: {},
    cacheIsApart: true,
    reasoningIsApart: true,
    keys: {
      input: 'input',
      output: 'output',
      cacheRead: 'cache_read',
      cacheWrite: 'cache_creation',
      reasoning: 'reasoning',
    },
    packed: (members) => ({ 'langfuse.observation.usage_details': JSON.stringify(members) }),
  },
  {
    name: 'LangSmith',
    mark: { 'langsmith.span.kind': 'llm' },
    keys: { cacheRead: 'cache_read', cacheWrite: 'cache_creation', reasoning: 'reasoning' },
    packed: (members) => ({ 'langsmith.metadata.usage_metadata': usageMetadata(members) }),
  },
  {
    name: 'MLflow',
    mark: {},
    keys: {
      input: 'input_tokens',
      output: 'output_tokens',
      cacheRead: 'cache_read_input_tokens',
      cacheWrite: 'cache_creation_input_tokens',
    },
    packed: (members) => ({ 'mlflow.chat.tokenUsage': JSON.stringify(members) }),
  },
  { name: 'OpenInference', mark: { 'openinference.span.kind': 'LLM' }, keys: openInference },
  {
    name: 'OpenInference of Anthropic',
    mark: { 'llm.provider': 'anthropic' },
    cacheIsApart: true,
    keys: openInference,
  },
  {
    name: 'OpenLLMetry of Anthropic',
    mark: { 'llm.request.type': 'chat', 'gen_ai.system': 'Anthropic' },
    cacheIsApart: true,
    keys: {
      input: 'gen_ai.usage.prompt_tokens',
      output: 'gen_ai.usage.completion_tokens',
      cacheRead: 'gen_ai.usage.cache_read_input_tokens',
      cacheWrite: 'gen_ai.usage.cache_creation_input_tokens',
      reasoning: 'gen_ai.usage.reasoning_tokens',
    },
  },
  {
    name: 'AI SDK',
    mark: { 'ai.usage.inputTokenDetails.noCacheTokens': 0 },
    keys: aiSdk,
  },
  {
    name: 'AI SDK of Anthropic',
    mark: { 'ai.model.provider': 'anthropic.messages' },
    cacheIsApart: true,
    keys: aiSdk,
  },
  {
    name: 'Google ADK',
    mark: {},
    reasoningIsApart: true,
    keys: {
      input: 'prompt_token_count',
      output: 'candidates_token_count',
      cacheRead: 'cached_content_token_count',
      reasoning: 'thoughts_token_count',
    },
    packed: gemini,
  },
  {
    name: 'Claude Code',
    mark: { 'span.type': 'llm_request', 'session.id': 's' },
    cacheIsApart: true,
    keys: {
      input: 'input_tokens',
      output: 'output_tokens',
      cacheRead: 'cache_read_tokens',
      cacheWrite: 'cache_creation_tokens',
    },
  },
  {
    name: 'Codex CLI',
    mark: {},
    spanName: 'session_task.turn',
    keys: {
      input: under('codex.turn.token_usage.', 'input_tokens'),
      output: under('codex.turn.token_usage.', 'output_tokens'),
      cacheRead: under('codex.turn.token_usage.', 'cached_input_tokens'),
      cacheWrite: under('codex.turn.token_usage.', 'cache_write_input_tokens'),
      reasoning: under('codex.turn.token_usage.', 'reasoning_output_tokens'),
    },
  },
  {
    name: 'LiteLLM',
    mark: { 'litellm.call_id': 'c' },
    keys: openAi,
    packed: (members) => ({
      'metadata.usage_object': JSON.stringify(members).replaceAll('"', "'"),
    }),
  },
  {
    name: 'Logfire',
    mark: { 'logfire.msg': 'm' },
    keys: openAi,
    packed: (members) => ({ 'gen_ai.usage.raw': JSON.stringify(members) }),
  },
  {
    name: 'Pydantic AI',
    mark: {},
    keys: {
      input: under('gen_ai.aggregated_usage.', 'input_tokens'),
      output: under('gen_ai.aggregated_usage.', 'output_tokens'),
      cacheRead: under('gen_ai.aggregated_usage.', 'cache_read.input_tokens'),
      cacheWrite: under('gen_ai.aggregated_usage.', 'cache_creation.input_tokens'),
      reasoning: under('gen_ai.aggregated_usage.', 'details.reasoning_tokens'),
    },
  },
  {
    name: 'OpenTelemetry GenAI',
    mark: {},
    keys: {
      input: 'gen_ai.usage.input_tokens',
      output: 'gen_ai.usage.output_tokens',
      cacheRead: 'gen_ai.usage.cache_read.input_tokens',
      cacheWrite: 'gen_ai.usage.cache_creation.input_tokens',
      reasoning: 'gen_ai.usage.reasoning.output_tokens',
    },
  },
]

function usageMetadata({ reasoning, ...cache }: Readonly<Record<string, number>>): string {
  const output = reasoning === undefined ? {} : { reasoning }
  return JSON.stringify({ input_token_details: cache, output_token_details: output })
}

/** The named counts of a call as the sender writes them. `counts` has the wholes with their parts included. */
function written(sender: Sender, counts: Required<Counts>, names: readonly CountName[]) {
  const { cacheRead, cacheWrite, reasoning } = counts
  const own = {
    ...counts,
    input: counts.input - (sender.cacheIsApart ? cacheRead + cacheWrite : 0),
    output: counts.output - (sender.reasoningIsApart ? reasoning : 0),
  }
  const members: Record<string, number> = {}
  for (const name of names) {
    const key = sender.keys[name]
    if (key !== undefined) members[key] = own[name]
  }
  const packed = Object.keys(members).length === 0 ? {} : (sender.packed?.(members) ?? members)
  return { ...sender.mark, ...packed } satisfies AttributeTable
}

function readUsage(attributes: Readonly<Record<string, AttributeValue>>, name = 'span') {
  const span = normalized(attributes, { name })
  return {
    input: span.tokensIn,
    output: span.tokensOut,
    cacheRead: span.tokensCacheRead,
    cacheWrite: span.tokensCacheWrite,
    reasoning: span.tokensReasoning,
  }
}

const calls = fc
  .record({
    uncached: fc.integer({ min: 1, max: 500 }),
    visible: fc.integer({ min: 1, max: 500 }),
    cacheRead: fc.nat({ max: 500 }),
    cacheWrite: fc.nat({ max: 500 }),
    reasoning: fc.nat({ max: 500 }),
  })
  .map(({ uncached, visible, ...parts }) => ({
    ...parts,
    input: uncached + parts.cacheRead + parts.cacheWrite,
    output: visible + parts.reasoning,
  }))

const reporters = fc.record(
  Object.fromEntries(countNames.map((name) => [name, fc.constantFrom(0, 1, 2)])),
) as fc.Arbitrary<Record<CountName, 0 | 1 | 2>>

const pairs = senders.flatMap((one, at) =>
  senders
    .slice(at + 1)
    .filter((other) => other.keys !== one.keys)
    .map((other) => [one.name, other.name, one, other] as const),
)

describe('two conventions on one span', () => {
  test.each(pairs)(
    '%s and %s: whichever reports a count, it is stored, and included in its whole once',
    (_one, _other, one, other) => {
      fc.assert(
        fc.property(calls, reporters, (counts, by) => {
          const sent = [one, other].map((sender, at) =>
            countNames.filter((name) => {
              const isOnlyOne = (at === 0 ? other : one).keys[name] === undefined
              return sender.keys[name] !== undefined && (isOnlyOne || by[name] !== 1 - at)
            }),
          )
          const attributes = {
            ...written(one, counts, sent[0] ?? []),
            ...written(other, counts, sent[1] ?? []),
          }
          const reported = new Set(sent.flat())
          const expected = Object.fromEntries(
            countNames.map((name) => [name, reported.has(name) ? counts[name] : null]),
          )
          expect(readUsage(attributes, one.spanName ?? other.spanName)).toEqual(expected)
        }),
        { numRuns: 30 },
      )
    },
  )

  test('AI SDK 7 with its own OpenTelemetry spans keeps the tokens and the price', () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 50,
      'gen_ai.usage.output_tokens': 20,
      'ai.usage.outputTokenDetails.reasoningTokens': 4,
    }
    expect(readUsage(attributes)).toEqual({
      input: 50,
      output: 20,
      cacheRead: null,
      cacheWrite: null,
      reasoning: 4,
    })
  })

  test('running totals of an agent stay out of a step whatever else reports them', () => {
    const attributes = {
      'openinference.span.kind': 'CHAIN',
      'input.value': '{"memory_step":1}',
      'llm.token_count.prompt': 50,
      'gen_ai.usage.input_tokens': 50,
    }
    expect(readUsage(attributes, 'Step 2').input).toBeNull()
  })
})
