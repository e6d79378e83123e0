import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { cleanFinish } from './clean-finish.ts'

type Samples = Parameters<typeof sampleView>[0]
const evaluate = (samples: Samples) => cleanFinish.evaluate(sampleView(samples), { siblings: [] })
const agent = { kind: 'agent', name: 'support' }
const llm = (finish_reason: string, ...tools: readonly string[]) => ({
  ...{ kind: 'llm', name: 'chat' },
  output: {
    messages: [
      {
        role: 'assistant',
        content: 'In Oslo.',
        tool_calls: tools.map((name) => ({
          ...{ id: name, type: 'function', function: { name, arguments: '{}' } },
        })),
      },
    ],
    finish_reason,
  },
})
const tool = { kind: 'tool', name: 'find', output: 'Oslo' }
const failed = { kind: 'tool', name: 'find', status: 'ERROR', status_message: 'declined' } as const

test.each([
  ['an answer', [agent, llm('stop')]],
  ['a tool that returned', [agent, llm('tool_calls', 'find'), tool]],
  ['an answer after a failed tool', [agent, llm('tool_calls', 'find'), failed, llm('stop')]],
  ['a tool call that the client runs outside of the trace', [llm('tool_calls', 'find')]],
])('a trace that ends with %s finishes cleanly', (_what, samples) => {
  expect(evaluate(samples)).toMatchObject({ status: 'scored', score: 1 })
})

test.each([
  [
    'an error of the root',
    [{ ...agent, status: 'ERROR', status_message: 'crashed' }, llm('stop')],
    'crashed',
  ],
  ['an error of the last step', [agent, llm('tool_calls', 'find'), failed], 'declined'],
  ['a tool call that never ran', [agent, llm('tool_calls', 'find')], 'find'],
  ['the finish reason of a limit', [agent, llm('max_turns')], 'max_turns'],
  [
    'the message of a limit',
    [{ ...agent, status: 'ERROR', status_message: 'Recursion limit of 25 reached' }, llm('stop')],
    'Recursion limit of 25 reached',
  ],
  [
    'more model calls than expected',
    [{ ...agent, attributes: { 'eval.max_steps': 1 } }, llm('stop'), llm('stop')],
    'chat',
  ],
] as const)('a trace that ends with %s does not', (_what, samples, quote) => {
  expect(evaluate(samples as unknown as Samples)).toMatchObject({ score: 0, evidence: [{ quote }] })
})

test('a single span that is no step of an agent is not evaluated', () => {
  expect(evaluate([{ kind: 'other' }]).status).toBe('not_applicable')
})
