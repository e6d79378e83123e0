import { limits } from '@assay/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import { normalized } from '../../test/decoded-span.ts'
import { identityKeys } from './identity.ts'
import { precedence } from './precedence.ts'

describe('several conventions on one span', () => {
  test.each([
    [
      'the kind of LangSmith comes before the operation it derives',
      { 'langsmith.span.kind': 'retriever', 'gen_ai.operation.name': 'embeddings' },
      'retriever',
    ],
    [
      'Langfuse comes before GenAI',
      { 'langfuse.observation.type': 'guardrail', 'gen_ai.operation.name': 'chat' },
      'guardrail',
    ],
    [
      'but its general type has no kind',
      { 'langfuse.observation.type': 'span', 'gen_ai.operation.name': 'chat' },
      'llm',
    ],
    [
      'MLflow comes before GenAI, in quotes',
      { 'mlflow.spanType': '"RERANKER"', 'gen_ai.operation.name': 'chat' },
      'reranker',
    ],
    [
      'a workflow of OpenLLMetry is not a model call, though it has a model',
      {
        'traceloop.span.kind': 'workflow',
        'gen_ai.request.model': 'm',
        'gen_ai.usage.input_tokens': 1,
      },
      'chain',
    ],
    [
      'a task of CrewAI is not an agent, though it reports one',
      {
        'crewai.task.id': 't',
        'traceloop.span.kind': 'task',
        'gen_ai.operation.name': 'invoke_agent',
      },
      'chain',
    ],
    [
      'an agent of CrewAI is one',
      { 'crewai.agent.id': 'a', 'gen_ai.operation.name': 'invoke_agent' },
      'agent',
    ],
    [
      'a log entry of Logfire is not a second call',
      { 'logfire.span_type': 'log', 'gen_ai.operation.name': 'chat' },
      'chain',
    ],
    [
      'keys that only start alike are not recognized',
      {
        langfuse_type: 'generation',
        'ai_.operationId': 'ai.toolCall',
        'traceloopx.span.kind': 't',
      },
      'span',
    ],
  ])('%s', (_situation, attributes, kind) => {
    expect(normalized(attributes).kind).toBe(kind)
  })

  test('a model call has messages with roles, everything else its own values', () => {
    const attributes = {
      'langfuse.observation.input': '"opaque"',
      'gen_ai.input.messages': '[{"role":"user"}]',
    }
    const readInput = (type: string) =>
      normalized({ ...attributes, 'langfuse.observation.type': type }).body.input
    expect(readInput('generation')).toBe('[{"role":"user"}]')
    expect(readInput('tool')).toBe('"opaque"')
  })

  test('a count that one of them leaves out comes from the next', () => {
    const span = normalized({
      'langfuse.observation.usage_details': '{"input":10,"output":2}',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.usage.cache_read.input_tokens': 4,
    })
    expect([span.tokensIn, span.tokensOut, span.tokensCacheRead]).toEqual([10, 2, 4])
  })
})

describe('session, user and environment', () => {
  const fields = ['sessionId', 'userId', 'environment'] as const

  test.each(fields)('%s comes from the first of its keys that is present', (field) => {
    const keys = identityKeys[field]
    for (const [place, key] of keys.entries()) {
      const attributes = Object.fromEntries(keys.slice(place).map((each) => [each, each]))
      expect(normalized({ 'mastra.span_id': 'a', ...attributes })[field]).toBe(key)
    }
  })

  test.each(['.', '..', '"."'])(
    'a session %s, which addresses cannot contain, counts as absent',
    (text) => {
      const span = normalized({ 'session.id': text, 'user.id': text })
      expect([span.sessionId, span.userId]).toEqual([null, text.replaceAll('"', '')])
      expect(span.body.attributes).toContain('session.id')
      const attributes = { 'session.id': text, 'conversation.id': 'c' }
      expect(normalized(attributes).sessionId).toBe('c')
      expect(normalized({}, {}, { resource: { 'session.id': text } }).sessionId).toBeNull()
    },
  )

  test('a group of Logfire that addresses cannot contain is no session', () => {
    const group = (text: string) =>
      normalized({ 'logfire.span_type': 'span', agent_trace_id: 'a', group_id: text }).sessionId
    expect([group('g'), group('..')]).toEqual(['g', null])
  })

  test('keys without a prefix count only beside a key of Mastra', () => {
    expect(normalized({ threadId: 't', resourceId: 'r' })).toMatchObject({
      sessionId: null,
      userId: null,
    })
  })

  test('come from the resource where the span has none, and lose the quotes of JSON', () => {
    const resource = { 'session.id': '"s \\u00e9"', 'langfuse.environment': 'staging' }
    expect(normalized({}, {}, { resource })).toMatchObject({
      sessionId: 's é',
      environment: 'staging',
    })
    expect(normalized({ 'user.id': '"half' }).userId).toBe('"half')
    expect(normalized({ 'mlflow.trace.session': '""', 'conversation.id': 'c' }).sessionId).toBe('c')
  })
})

describe('tags of the trace', () => {
  test.each([
    ['a list', 'tag.tags', ['a', 'b', 'a', 7, ''], '["a","b"]'],
    ['JSON of one', 'langfuse.trace.tags', '["a",{"b":1},"c"]', '["a","c"]'],
    ['one text', 'traceloop.association.properties.tags', 'a, b', '["a, b"]'],
    ['one text as JSON', 'ai.telemetry.metadata.tags', '"a"', '["a"]'],
    ['texts joined by commas', 'langsmith.span.tags', 'a, b', '["a","b"]'],
    ['a list of nothing', 'logfire.tags', [], null],
    ['blanks', 'tag.tags', [' ', ''], null],
    ['JSON that is cut', 'tag.tags', '["a', null],
    ['a number', 'tag.tags', 7, null],
    ['other words', 'tags', ['a'], null],
  ])('%s', (_form, key, value, tags) => {
    expect(normalized({ [key]: value }).tags).toBe(tags)
  })

  test('are those of all conventions on the span, without repetitions', () => {
    const keys = identityKeys.tags
    for (const place of keys.keys()) {
      const present = keys.slice(place)
      const attributes = Object.fromEntries(present.map((each) => [each, ['same', each]]))
      expect(normalized(attributes).tags).toBe(JSON.stringify(['same', ...present]))
    }
  })

  test('are no more and no longer than a trace may have, and no longer together than a span may have', () => {
    const short = Array.from({ length: 1500 }, (_, n) => n.toString(36))
    const all = normalized({ 'tag.tags': short }).tags ?? '[]'
    expect(all.length).toBeLessThanOrEqual(limits.spanTagsLength.value)
    expect(JSON.parse(all).length).toBeLessThanOrEqual(limits.tagsPerTrace.value)
    const many = Array.from({ length: 1500 }, (_, n) => `${n}${'\u{1F600}'.repeat(200)}`)
    const text = normalized({ 'tag.tags': many }).tags ?? '[]'
    expect(text.length).toBeLessThanOrEqual(limits.spanTagsLength.value)
    const tags = JSON.parse(text) as string[]
    expect(tags.length).toBeGreaterThan(0)
    for (const tag of tags) {
      expect(tag.length).toBeLessThanOrEqual(limits.tagLength.value)
      expect(tag.isWellFormed()).toBe(true)
    }
    expect(normalized({ 'tag.tags': JSON.stringify(many) }).tags).toBeNull()
  })
})

test('every convention is reachable and distinct', () => {
  const titles = precedence.map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  // One bit each.
  expect(precedence.length).toBeLessThan(31)
  for (const { prefixes, spanNames = [] } of precedence) {
    expect(prefixes.length + spanNames.length).toBeGreaterThan(0)
    for (const prefix of prefixes) expect(prefix).toMatch(/^\w+[.:]/)
  }
})
