import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseConversation } from './conversation.ts'
import { parsed } from './message-parts.ts'

const text = (content: string) => ({ is: 'text', text: content })
const message = (role: string, ...parts: unknown[]) => ({ role, parts })
const call = (name: string, input: unknown, id?: string) => ({
  is: 'call',
  name,
  ...(id === undefined ? {} : { id }),
  input,
})
const pixel = 'iVBORw0KGgo='

describe('a conversation is recognized in', () => {
  test.each([
    [
      "OpenTelemetry GenAI's parts",
      {
        messages: [
          { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', content: 'Look it up.' },
              { type: 'tool_call', id: 'c1', name: 'find', arguments: { q: 1 } },
            ],
            finish_reason: 'tool_call',
          },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { a: 2 } }] },
        ],
      },
      [
        message('system', text('Be brief.')),
        message(
          'assistant',
          { is: 'reasoning', text: 'Look it up.' },
          call('find', { q: 1 }, 'c1'),
        ),
        message('tool', { is: 'result', id: 'c1', output: { a: 2 } }),
      ],
    ],
    [
      "OpenAI's chat messages",
      [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q":1}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"a":2}' },
      ],
      [
        message('user', text('Hi')),
        message('assistant', call('find', { q: 1 }, 'c1')),
        message('tool', { is: 'result', id: 'c1', output: { a: 2 } }),
      ],
    ],
    [
      "OpenAI's chat completion",
      { choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' } }] },
      [message('assistant', text('Yes'))],
    ],
    [
      "OpenAI's Responses",
      {
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
          { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c1', output: 'none' },
        ],
      },
      [
        message('system', text('Be brief.')),
        message('user', text('Hi')),
        message('assistant', call('find', {}, 'c1')),
        message('tool', { is: 'result', id: 'c1', output: 'none' }),
      ],
    ],
    [
      "Anthropic's blocks",
      {
        system: 'Be brief.',
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm.' },
              { type: 'tool_use', id: 'c1', name: 'find', input: { q: 1 } },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'none' }] },
        ],
      },
      [
        message('system', text('Be brief.')),
        message('assistant', { is: 'reasoning', text: 'Hm.' }, call('find', { q: 1 }, 'c1')),
        message('user', { is: 'result', id: 'c1', output: 'none' }),
      ],
    ],
    [
      "Gemini's contents",
      {
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          { role: 'model', parts: [{ functionCall: { name: 'find', args: { q: 1 } } }] },
        ],
      },
      [message('user', text('Hi')), message('assistant', call('find', { q: 1 }))],
    ],
    [
      "OpenInference's wrapping",
      {
        messages: [
          {
            message: {
              role: 'assistant',
              contents: [{ message_content: { type: 'text', text: 'Yes' } }],
              tool_calls: [
                { tool_call: { id: 'c1', function: { name: 'find', arguments: '{"q":1}' } } },
              ],
            },
          },
          { 'message.role': 'user', 'message.content': 'Hi' },
        ],
      },
      [
        message('assistant', text('Yes'), call('find', { q: 1 }, 'c1')),
        message('user', text('Hi')),
      ],
    ],
    [
      "LangChain's messages, a list in a list",
      {
        messages: [
          [
            { lc: 1, type: 'constructor', id: ['x', 'HumanMessage'], kwargs: { content: 'Hi' } },
            { type: 'ai', content: 'Yes' },
          ],
        ],
      },
      [message('user', text('Hi')), message('assistant', text('Yes'))],
    ],
    [
      "the AI SDK's parts in a text",
      '[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"find","input":{"q":1}}]}]',
      [message('assistant', call('find', { q: 1 }, 'c1'))],
    ],
    [
      'a single message',
      { role: 'assistant', content: 'Yes' },
      [message('assistant', text('Yes'))],
    ],
    [
      'parts of an unknown type, kept as they are',
      [{ role: 'user', parts: [{ type: 'hologram', x: 1 }] }],
      [message('user', { is: 'other', value: { type: 'hologram', x: 1 } })],
    ],
  ])('%s', (_shape, value, messages) => {
    expect(parseConversation(value)?.messages).toEqual(messages)
  })

  test('other fields next to the messages are kept', () => {
    const value = {
      model: 'm',
      temperature: 0,
      system: 's',
      messages: [{ role: 'user', content: 'a' }],
    }
    expect(parseConversation(value)?.rest).toEqual({ model: 'm', temperature: 0 })
  })
})

describe('no conversation is recognized in', () => {
  test.each([
    ['nothing', null],
    ['a text', 'role: user'],
    ['a text that only starts like JSON', '{role: user}'],
    ['an empty list', []],
    ['arguments of a tool', { order_id: 1, role: 'admin' }],
    ['rows that are not messages', [{ role: 'admin', name: 'Ana' }]],
    ['messages among other things', [{ role: 'user', content: 'a' }, 7]],
  ])('%s', (_situation, value) => {
    expect(parseConversation(value)).toBeUndefined()
  })
})

describe('an attachment', () => {
  const partOf = (part: unknown) =>
    parseConversation([{ role: 'user', content: [part] }])?.messages[0]?.parts[0]

  test('that is an inline image is shown', () => {
    const url = `data:image/png;base64,${pixel}`
    const blob = { type: 'blob', modality: 'image', mime_type: 'image/png', content: pixel }
    const shown = { what: 'image/png', image: url }
    expect(partOf({ type: 'image_url', image_url: { url } })).toMatchObject(shown)
    expect(partOf(blob)).toMatchObject({ image: url })
  })

  test('that can contain scripts is described but never loaded', () => {
    const source = { media_type: 'image/svg+xml', data: 'PHN2Zz4=' }
    expect(partOf({ type: 'image', source })).toEqual({
      is: 'media',
      what: 'image/svg+xml',
      bytes: 6,
    })
  })

  test.each([
    ['OpenAI', { type: 'image_url', image_url: { url: 'https://evil.example/a.png' } }],
    [
      'Anthropic',
      { type: 'image_url', source: { type: 'url', url: 'https://evil.example/a.png' } },
    ],
    ['OpenInference', { type: 'image_url', 'image.url': 'https://evil.example/a.png' }],
  ])('with a remote address has a link, as %s sends it', (_sender, part) => {
    const link = 'https://evil.example/a.png'
    expect(partOf(part)).toEqual({ is: 'media', what: 'image_url', link })
  })

  const wav = 'UklGRiQAAABXQVZF'
  const recording = {
    is: 'media',
    what: 'audio/wav',
    bytes: 12,
    audio: `data:audio/wav;base64,${wav}`,
  }

  test.each([
    ['OpenAI', { type: 'input_audio', input_audio: { data: wav, format: 'wav' } }],
    ['Gemini', { inlineData: { mimeType: 'audio/wav', data: wav } }],
    ['the AI SDK', { type: 'file', mediaType: 'audio/wav', data: wav }],
    ['OpenTelemetry', { type: 'blob', modality: 'audio', mime_type: 'audio/wav', content: wav }],
  ])('that is a recording can be played, as %s sends it', (_sender, part) => {
    expect(partOf(part)).toEqual(recording)
  })

  test.each([
    [
      'samples without a header',
      { type: 'input_audio', input_audio: { data: wav, format: 'pcm16' } },
    ],
    ['another type', { type: 'blob', mime_type: 'audio/wav;x,text/html', content: wav }],
    ['a video', { type: 'blob', mime_type: 'video/mp4', content: wav }],
  ])('is described but not played: %s', (_situation, part) => {
    expect(partOf(part)).not.toHaveProperty('audio')
    expect(partOf(part)).toMatchObject({ is: 'media', bytes: 12 })
  })

  test('in the answer of a model has its transcript before it', () => {
    const audio = { id: 'audio_1', data: wav, format: 'wav', transcript: 'It is on its way.' }
    expect(parseConversation([{ role: 'assistant', content: null, audio }])?.messages).toEqual([
      message('assistant', text('It is on its way.'), recording),
    ])
  })
})

test('an unexpected value in place of a name or text is shown as JSON', () => {
  const content = [
    { type: 'tool_call', name: { odd: 1 }, arguments: {} },
    { type: 'reasoning', summary: ['First.', { odd: 2 }] },
  ]
  expect(parseConversation([{ role: 'assistant', content }])?.messages).toEqual([
    message('assistant', call('{"odd":1}', {}), { is: 'reasoning', text: 'First.\n\n{"odd":2}' }),
  ])
})

test('parsing never fails for any JSON', () => {
  const names = fc.constantFrom(
    'role',
    'content',
    'parts',
    'messages',
    'type',
    'tool_calls',
    '__proto__',
  )
  const words = fc.constantFrom('user', 'tool', 'text', 'tool_call', 'image', 'ai', '[{', '')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      words,
      fc.constantFrom(null, 1, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(value, (sent) => {
      const found = parseConversation(sent)
      expect(found === undefined || found.messages.length > 0).toBe(true)
    }),
  )
})

test('JSON that is nested too deeply to be walked stays text', () => {
  const nested = (levels: number) =>
    `${'{"message_content":'.repeat(levels)}"[{"${'}'.repeat(levels)}`
  expect(parsed(nested(500))).toBeTypeOf('object')
  expect(parsed(nested(501))).toBe(nested(501))
  const content = nested(50_000)
  const sent = JSON.stringify([{ role: 'user', content: 'Hi' }]).replace('"Hi"', content)
  expect(parseConversation(sent)).toBeUndefined()
})
