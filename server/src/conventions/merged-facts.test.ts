import { describe, expect, test } from 'vitest'
import { type AttributeTable, normalized } from '../../test/decoded-span.ts'
import type { Span } from '../domain/span.ts'

/*
 * Spans of which two conventions report different facts: neither may hide what only the other one has.
 */

const facts = {
  model: (span: Span) => span.model,
  provider: (span: Span) => span.provider,
  tokens: (span: Span) => span.tokensIn,
  cost: (span: Span) => span.costUsd,
  input: (span: Span) => /question/.exec(span.body.input)?.[0],
  output: (span: Span) => /response/.exec(span.body.output)?.[0],
  session: (span: Span) => span.sessionId,
  user: (span: Span) => span.userId,
  tags: (span: Span) => span.tags,
}
type FactName = keyof typeof facts

const user = '[{"role":"user","parts":[{"type":"text","content":"question"}]}]'
const assistant = '[{"role":"assistant","parts":[{"type":"text","content":"response"}]}]'

interface Sender {
  readonly name: string
  readonly mark: AttributeTable
  readonly facts: Partial<Record<FactName, AttributeTable>>
}

const senders: readonly Sender[] = [
  {
    name: 'Langfuse',
    mark: { 'langfuse.observation.type': 'generation' },
    facts: {
      model: { 'langfuse.observation.model.name': 'm' },
      tokens: { 'langfuse.observation.usage_details': '{"input":7}' },
      cost: { 'langfuse.observation.cost_details': '{"total":0.5}' },
      input: { 'langfuse.observation.input': '"question"' },
      output: { 'langfuse.observation.output': '"response"' },
      session: { 'langfuse.session.id': 's' },
      user: { 'langfuse.user.id': 'u' },
      tags: { 'langfuse.trace.tags': ['t'] },
    },
  },
  {
    name: 'LangSmith',
    mark: { 'langsmith.span.kind': 'llm', 'gen_ai.request.model': 'm' },
    facts: {
      provider: { 'langsmith.metadata.ls_provider': 'p' },
      input: { 'gen_ai.prompt': '{"text":"question"}' },
      output: { 'gen_ai.completion': '{"text":"response"}' },
      session: { 'langsmith.metadata.session_id': 's' },
      user: { 'langsmith.metadata.user_id': 'u' },
      tags: { 'langsmith.span.tags': 't' },
    },
  },
  {
    name: 'MLflow',
    mark: { 'mlflow.spanType': '"CHAT_MODEL"' },
    facts: {
      model: { 'mlflow.llm.model': '"m"' },
      tokens: { 'mlflow.chat.tokenUsage': '{"input_tokens":7}' },
      cost: { 'mlflow.llm.cost': '{"total_cost":0.5}' },
      input: { 'mlflow.spanInputs': '"question"' },
      output: { 'mlflow.spanOutputs': '"response"' },
      session: { 'mlflow.trace.session': '"s"' },
      user: { 'mlflow.trace.user': '"u"' },
    },
  },
  {
    name: 'OpenInference',
    mark: { 'openinference.span.kind': 'LLM' },
    facts: {
      model: { 'llm.model_name': 'm' },
      provider: { 'llm.provider': 'p' },
      tokens: { 'llm.token_count.prompt': 7 },
      cost: { 'llm.cost.total': 0.5 },
      input: { 'llm.input_messages.0.message.content': 'question' },
      output: { 'llm.output_messages.0.message.content': 'response' },
      session: { 'session.id': 's' },
      user: { 'user.id': 'u' },
      tags: { 'tag.tags': ['t'] },
    },
  },
  {
    name: 'OpenLLMetry',
    mark: { 'llm.request.type': 'chat' },
    facts: {
      input: { 'gen_ai.prompt.0.content': 'question' },
      output: { 'gen_ai.completion.0.content': 'response' },
      session: { 'traceloop.association.properties.session_id': 's' },
      user: { 'traceloop.association.properties.user_id': 'u' },
      tags: { 'traceloop.association.properties.tags': 't' },
    },
  },
  {
    name: 'AI SDK',
    mark: { 'ai.operationId': 'ai.generateText.doGenerate' },
    facts: {
      model: { 'ai.response.model': 'm' },
      provider: { 'ai.model.provider': 'p' },
      tokens: { 'ai.usage.inputTokens': 7 },
      input: { 'ai.prompt.messages': '[{"role":"user","content":"question"}]' },
      output: { 'ai.response.text': 'response' },
      session: { 'ai.telemetry.metadata.sessionId': 's' },
      user: { 'ai.telemetry.metadata.userId': 'u' },
      tags: { 'ai.telemetry.metadata.tags': ['t'] },
    },
  },
  {
    name: 'OpenTelemetry GenAI',
    mark: { 'gen_ai.operation.name': 'chat' },
    facts: {
      model: { 'gen_ai.response.model': 'm' },
      provider: { 'gen_ai.provider.name': 'p' },
      tokens: { 'gen_ai.usage.input_tokens': 7 },
      cost: { 'gen_ai.usage.cost': 0.5 },
      input: { 'gen_ai.input.messages': user },
      output: { 'gen_ai.output.messages': assistant },
      session: { 'gen_ai.conversation.id': 's' },
      user: { 'gen_ai.request.user': 'u' },
    },
  },
]

const expected: Readonly<Record<FactName, unknown>> = {
  model: 'm',
  provider: 'p',
  tokens: 7,
  cost: 0.5,
  input: 'question',
  output: 'response',
  session: 's',
  user: 'u',
  tags: '["t"]',
}

const pairs = senders.flatMap((one) =>
  senders.flatMap((other) => (one === other ? [] : [[one.name, other.name, one, other] as const])),
)

describe('a fact that only one of two conventions has', () => {
  test.each(pairs)('%s in part, %s the rest', (_one, _other, one, other) => {
    const names = Object.keys(one.facts) as FactName[]
    for (const omitted of names) {
      const rest = other.facts[omitted]
      if (rest === undefined) continue
      const own = names.filter((name) => name !== omitted).map((name) => one.facts[name])
      const span = normalized(Object.assign({}, one.mark, other.mark, rest, ...own))
      for (const name of names) expect([name, facts[name](span)]).toEqual([name, expected[name]])
    }
  })

  const totals = senders.filter(({ facts: { cost } }) => cost !== undefined)
  const partialCosts: readonly AttributeTable[] = [
    { 'llm.cost.prompt': 0.125 },
    { 'llm.cost.completion': 0.125 },
    { 'langfuse.observation.cost_details': '{"input":0.125}' },
    { 'langfuse.observation.cost_details': '{"output":0.125}' },
  ]

  test.each(partialCosts)('the partial cost %j hides no total', (partialCost) => {
    for (const { name, mark, facts: known } of totals) {
      const span = normalized({ ...partialCost, ...mark, ...known.cost })
      expect([name, span.costUsd]).toEqual([name, 0.5])
    }
  })

  test.each(partialCosts)(
    'the partial cost %j counts where no total is reported',
    (partialCost) => {
      for (const { mark } of senders) {
        expect(normalized({ ...mark, ...partialCost })).toMatchObject({
          costUsd: 0.125,
          costSource: 'reported',
        })
      }
    },
  )

  test('instructions of OpenTelemetry GenAI go before the messages of another', () => {
    const { body } = normalized({
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.prompt.messages': '[{"role":"user","content":"question"}]',
      'gen_ai.system_instructions': '[{"type":"text","content":"Be terse."}]',
    })
    expect(JSON.parse(body.input)).toEqual([
      { role: 'system', parts: [{ type: 'text', content: 'Be terse.' }] },
      { role: 'user', content: 'question' },
    ])
  })

  test('instructions are not repeated before messages that have them', () => {
    const messages =
      '[{"role":"system","content":"Be terse."},{"role":"user","content":"question"}]'
    const { body } = normalized({
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.prompt.messages': messages,
      'gen_ai.system_instructions': '[{"type":"text","content":"Be terse."}]',
    })
    expect(body.input).toBe(messages)
  })

  test('the finish reason of OpenTelemetry GenAI joins the response of the AI SDK', () => {
    const { body } = normalized({
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.response.text': 'response',
      'gen_ai.response.finish_reasons': ['length'],
    })
    expect(JSON.parse(body.output)).toEqual([
      { role: 'assistant', content: 'response', finish_reason: 'length' },
    ])
  })
})
