import type { AgentConfig, AgentTool } from '@assay/contract/agent-config.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ClassCounts, classify, contentClasses } from './content-class.ts'
import { countAgent } from './count-agent.ts'
import { countTokens, sliceRuns } from './count-tokens.ts'
import { fixedTokens, traitsOf } from './model-traits.ts'
import { toToolText } from './tool-text.ts'

const total = (counts: ClassCounts) => contentClasses.reduce((sum, name) => sum + counts[name], 0)
const agent = (config: Partial<AgentConfig>): AgentConfig => ({
  ...{ system_prompt: 'You help.', tone: '', memory: '', tools: [] },
  ...config,
})
const lookUp: AgentTool = {
  ...{ kind: 'tool', mode: 'simulated', name: 'look_up', description: 'Finds an order.' },
  content: JSON.stringify({
    type: 'object',
    properties: {
      order_id: { type: 'string', description: 'Such as 1042.' },
      fields: { type: 'array', items: { type: 'string', enum: ['status', 'total'] } },
    },
    required: ['order_id'],
  }),
}

describe('the number of tokens', () => {
  test.each([
    ['the vocabulary counts words', 'The quick brown fox jumps over the lazy dog.', 10],
    ['markers of special tokens are ordinary text', '<|endoftext|>', 7],
    ['an empty text has none', '', 0],
  ])('%s', (_name, text, tokens) => {
    expect(total(countTokens(text))).toBe(tokens)
  })

  // Without the guard, each of these takes half a minute or more.
  test.each([
    ['one letter', 'a'.repeat(200_000)],
    ['Chinese', '汉字'.repeat(100_000)],
    ['spaces', ' '.repeat(200_000)],
    ['symbols', '!?'.repeat(100_000)],
    ['emoji', '😀'.repeat(100_000)],
    ['letters in no order', 'qzjxkv'.repeat(33_334)],
  ])('T22: 200 kB of %s without a break are counted in time', (_name, text) => {
    expect(total(countTokens(text))).toBeGreaterThan(1000)
  })

  test('of random letters is close to a full count', () => {
    let state = 1
    const letter = () => {
      state = (state * 48_271) % 2_147_483_647
      return String.fromCharCode(97 + (state % 26))
    }
    const words = Array.from({ length: 2000 }, () => Array.from({ length: 100 }, letter).join(''))
    const whole = words.reduce((sum, word) => sum + total(countTokens(word)), 0)
    expect(total(countTokens(words.join(''))) / whole).toBeCloseTo(1, 1)
  })

  test.each([
    ['halves of surrogate pairs', '\uD800'],
    ['symbols beyond ASCII between others', '—?'],
    ['spaces beyond ASCII between others', ' \u00A0'],
    ['symbols between line breaks', '/\r'],
    ['letters beyond ASCII between others', 'aé'],
  ])('are counted of short slices of a run of %s', (_name, repeated) => {
    const text = repeated.repeat(1000)
    const slices = [...sliceRuns(text)]
    expect(slices.join('')).toBe(text)
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThan(400)
  })

  test('slices of runs are the text, and split no surrogate pair', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '汉', '😀', ' ', '\n', '1', '-')), (parts) => {
        const text = parts.map((part) => part.repeat(100)).join('')
        const slices = [...sliceRuns(text)]
        expect(slices.join('')).toBe(text)
        for (const slice of slices) expect(slice.isWellFormed()).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

test.each([
  ['prose', 'Refunds take five working days, unless the customer paid by card.'],
  ['code', 'const total = items.map((one) => one.price * one.count).reduce(add, 0);'],
  ['json', '{"order_id":"A-17","status":"shipped"}'],
  ['digits', '2026-11-22 19:31:55.120 200 1042 0.017'],
  ['cjk', '退款需要五个工作日。'],
  ['opaque', 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9'.repeat(4)],
] as const)('the content class of a line is %s', (expected, line) => {
  expect(classify(line)).toBe(expected)
})

describe('tools', () => {
  test('are typed like functions, with optional parameters, enums and descriptions', () => {
    expect(toToolText(lookUp).typed).toBe(
      [
        '// Finds an order.',
        'type look_up = (_: {',
        '// Such as 1042.',
        'order_id: string,',
        'fields?: ("status" | "total")[],',
        '}) => any;\n\n',
      ].join('\n'),
    )
  })

  test('take fewer tokens typed than as JSON', () => {
    const { typedTools, jsonTools } = countAgent(agent({ tools: [lookUp] }))
    expect(total(typedTools)).toBeLessThan(total(jsonTools))
  })

  test.each([
    ['a function of OpenAI', { type: 'function', function: { parameters: { type: 'object' } } }],
    ['a tool of Anthropic', { name: 'x', input_schema: { type: 'object' } }],
    ['a schema', { type: 'object' }],
  ])('have the parameters of %s', (_name, content) => {
    const { json } = toToolText({ ...lookUp, content: JSON.stringify(content) })
    expect(JSON.parse(json)).toMatchObject({ name: 'look_up', parameters: { type: 'object' } })
  })

  test('with any other content describe themselves by it', () => {
    const { json } = toToolText({ ...lookUp, content: '{not JSON' })
    expect(JSON.parse(json)).toMatchObject({ description: 'Finds an order.\n{not JSON' })
  })

  test('of kind skill and memory are part of the prompt', () => {
    const plain = countAgent(agent({}))
    const skilled = countAgent(agent({ tools: [{ ...lookUp, kind: 'skill' }] }))
    expect(skilled.toolCount).toBe(0)
    expect(total(skilled.prompt)).toBeGreaterThan(total(plain.prompt) + 20)
  })
})

describe('T19: a model of another family', () => {
  const prose = agent({ system_prompt: 'Refunds take five working days. '.repeat(50) })
  const ratio = (model: string, counts = countAgent(prose)) =>
    fixedTokens(counts, traitsOf(model)).prompt / fixedTokens(counts, traitsOf('gpt-4o')).prompt

  test.each([
    ['gpt-5-mini', 1],
    ['claude-3-5-sonnet-20241022', 1.2],
    ['claude-sonnet-4-20250514', 1.2],
    ['anthropic.claude-opus-4-6-v1:0', 1.2],
    ['claude-opus-4-7', 1.53],
    ['claude-sonnet-5', 1.53],
    ['gemini-2.5-pro', 1.04],
    ['mistral-large-2512', 1.06],
    ['deepseek-chat', 1.03],
  ])('%s takes %d times as many tokens of prose', (model, factor) => {
    expect(ratio(model)).toBeCloseTo(factor, 2)
  })

  test('takes another factor for logs than for prose', () => {
    const logs = countAgent(
      agent({ system_prompt: '2026-11-22 19:31:55.120 200 1042\n'.repeat(50) }),
    )
    expect(ratio('gemini-2.5-pro', logs)).toBeCloseTo(1.52, 2)
  })
})
