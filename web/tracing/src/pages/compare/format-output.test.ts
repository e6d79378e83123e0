import { describe, expect, test } from 'vitest'
import { formatOutputs } from './format-output.ts'

const answer = (content: string, extra: object = {}) => ({
  messages: [{ role: 'assistant', content, ...extra }],
})

describe('two outputs as texts', () => {
  test('are the messages, with the lines that were written, whatever their formats', () => {
    const genAi = [{ role: 'assistant', parts: [{ type: 'text', content: 'One\nThree' }] }]
    expect(formatOutputs(answer('One\nTwo'), genAi)).toEqual([
      'assistant:\nOne\nTwo',
      'assistant:\nOne\nThree',
    ])
  })

  test('have tool calls with their arguments', () => {
    const call = { id: 'c', type: 'function', function: { name: 'refund', arguments: '{"id":1}' } }
    const [text] = formatOutputs(answer('', { tool_calls: [call] }), null)
    expect(text).toBe('assistant:\nTool call refund: {\n  "id": 1\n}')
  })

  test.each<[string, unknown, string]>([
    ['text', 'plain', 'plain'],
    ['JSON', { ok: true }, '{\n  "ok": true\n}'],
    ['nothing', undefined, ''],
    ['null', null, ''],
  ])('are %s as it is', (_name, output, text) => {
    expect(formatOutputs(output, answer('x'))[0]).toBe(text)
  })

  test('are JSON when the messages differ only in what is not written', () => {
    const [a, b] = formatOutputs(answer('same', { id: 1 }), answer('same', { id: 2 }))
    expect(a).toContain('"id": 1')
    expect(b).toContain('"id": 2')
  })
})
