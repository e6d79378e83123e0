import { describe, expect, test } from 'vitest'
import { event, normalized } from '../../test/decoded-span.ts'

const chat = { 'gen_ai.operation.name': 'chat' }

function content(attributes: Record<string, string>, events: readonly ReturnType<typeof event>[]) {
  const { body } = normalized(attributes, { events })
  return [JSON.parse(body.input), JSON.parse(body.output)]
}

const textMessage = (role: string, text: string) => ({
  role,
  parts: [{ type: 'text', content: text }],
})

describe('content in span events, as before semantic conventions 1.37', () => {
  test('is one message for each event, with the role of its name unless it has one', () => {
    const calls = '[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]'
    expect(
      content(chat, [
        event('gen_ai.system.message', { content: 'Be terse.' }),
        event('gen_ai.system.message', { content: 'Be kind.', role: 'developer' }),
        event('gen_ai.user.message', { content: 'Weather?' }),
        event('gen_ai.assistant.message', { tool_calls: calls }),
        event('gen_ai.tool.message', { content: '{"temp":14}', id: 'c' }),
        event('another', { content: 'not said' }),
        event('gen_ai.choice', { message: 'It rains.', finish_reason: 'stop', index: 0 }),
      ]),
    ).toEqual([
      [
        textMessage('system', 'Be terse.'),
        textMessage('developer', 'Be kind.'),
        textMessage('user', 'Weather?'),
        { role: 'assistant', parts: [], tool_calls: JSON.parse(calls) },
        {
          role: 'tool',
          parts: [{ type: 'tool_call_response', id: 'c', response: { temp: 14 } }],
        },
      ],
      [{ ...textMessage('assistant', 'It rains.'), finish_reason: 'stop' }],
    ])
  })

  test('may be the whole message of a choice as JSON', () => {
    const message = { role: 'assistant', content: 'It rains.', tool_calls: [{ id: 'c' }] }
    expect(
      content(chat, [event('gen_ai.choice', { message: JSON.stringify(message) })])[1],
    ).toEqual([{ ...textMessage('assistant', 'It rains.'), tool_calls: [{ id: 'c' }] }])
  })

  test('may be all of the prompt and all of the completion', () => {
    expect(
      content(chat, [
        event('gen_ai.content.prompt', { 'gen_ai.prompt': '[{"role":"user"}]' }),
        event('gen_ai.content.completion', { 'gen_ai.completion': 'It rains.' }),
      ]),
    ).toEqual([[{ role: 'user' }], 'It rains.'])
  })

  test('may be the JSON of single attributes', () => {
    const attributes = { ...chat, 'gen_ai.prompt': '{"a":1}', 'gen_ai.completion': '{"b":2}' }
    expect(content(attributes, [])).toEqual([{ a: 1 }, { b: 2 }])
  })

  test('is used only where the span itself has none', () => {
    const attributes = { ...chat, 'gen_ai.input.messages': '[1]', 'gen_ai.output.messages': '[2]' }
    const events = [
      event('gen_ai.user.message', { content: 'Weather?' }),
      event('gen_ai.choice', { message: 'It rains.' }),
    ]
    expect(content(attributes, events)).toEqual([[1], [2]])
  })

  test('of a tool are its arguments and its result', () => {
    expect(
      content({ 'gen_ai.operation.name': 'execute_tool' }, [
        event('gen_ai.tool.message', { role: 'tool', content: '{"city":"Paris"}', id: 'c' }),
        event('gen_ai.choice', { message: '[{"json":{"temp":14}}]', id: 'c' }),
      ]),
    ).toEqual([{ city: 'Paris' }, [{ json: { temp: 14 } }]])
  })
})

describe('content in Bedrock’s blocks', () => {
  const inContent = (blocks: string) =>
    content(chat, [event('gen_ai.assistant.message', { content: blocks })])[0]

  test('becomes the parts of GenAI', () => {
    const blocks = [
      { text: 'Let me look.' },
      { reasoningContent: { reasoningText: { text: 'Hm.' } } },
      { toolUse: { toolUseId: 'c', name: 'f', input: { a: 1 } } },
      { toolResult: { toolUseId: 'c', status: 'success', content: [{ text: '14' }] } },
      { image: { format: 'png' } },
    ]
    expect(inContent(JSON.stringify(blocks))).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'Let me look.' },
          { type: 'reasoning', content: 'Hm.' },
          { type: 'tool_call', id: 'c', name: 'f', arguments: { a: 1 } },
          { type: 'tool_call_response', id: 'c', response: [{ text: '14' }] },
          { image: { format: 'png' } },
        ],
      },
    ])
  })

  test.each([
    ['cut short', '[{"text": "Let me'],
    ['of another form', '[{"kind": "text"}]'],
    ['text that looks like them', '[{"text" is missing'],
  ])('%s stays what it is', (_situation, blocks) => {
    const [message] = inContent(blocks)
    const part = message.parts[0]
    expect(part).toEqual(
      blocks.includes('kind') ? { kind: 'text' } : { type: 'text', content: blocks },
    )
  })
})

test('events of evaluations and counts by modality are stored and change nothing', () => {
  const evaluation = event('gen_ai.evaluation.result', {
    'gen_ai.evaluation.name': 'relevance',
    'gen_ai.evaluation.score.value': 0.5,
  })
  const span = normalized(
    {
      ...chat,
      'gen_ai.usage.input_tokens': 80,
      'gen_ai.usage.text.input_tokens': 60,
      'gen_ai.usage.image.input_tokens': 20,
    },
    { events: [evaluation] },
  )
  expect([span.tokensIn, span.body.input, span.body.output]).toEqual([80, 'null', 'null'])
  expect(JSON.parse(span.body.events)).toMatchObject([
    { name: 'gen_ai.evaluation.result', attributes: { 'gen_ai.evaluation.score.value': 0.5 } },
  ])
  expect(JSON.parse(span.body.attributes)).toMatchObject({ 'gen_ai.usage.image.input_tokens': 20 })
})
