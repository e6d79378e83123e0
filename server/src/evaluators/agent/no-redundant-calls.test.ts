import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { noRedundantCalls } from './no-redundant-calls.ts'

const call = (input: unknown, output: unknown = 'Oslo', name = 'find') => ({
  ...{ kind: 'tool', name, input, output },
})
const evaluate = (...calls: readonly ReturnType<typeof call>[]) =>
  noRedundantCalls.evaluate(sampleView([{ kind: 'agent' }, ...calls]), { siblings: [] })

test.each([
  ['other arguments', call({ order: 8 })],
  ['another result', call({ order: 7, page: 1 }, 'Bergen')],
  ['another tool', call({ order: 7, page: 1 }, 'Oslo', 'track')],
])('a call with %s is not redundant', (_what, other) => {
  expect(evaluate(call({ order: 7, page: 1 }), other)).toMatchObject({ score: 1, issues: [] })
})

test('a call with equal arguments in another order and an equal result is redundant', () => {
  expect(
    evaluate(call({ order: 7, city: 'Oslo' }), call({ city: 'Oslo', order: 7 })),
  ).toMatchObject({
    score: 0.5,
    issues: ['find repeated earlier calls once.'],
    evidence: [{ spanId: 's2', quote: 'Oslo' }],
  })
})

test('calls with long equal arguments are redundant', () => {
  const text = 'x'.repeat(1000)
  expect(evaluate(call({ text }), call({ text }), call({ text: `${text}y` }))).toMatchObject({
    score: expect.closeTo(2 / 3),
  })
})

test('a repeated failure is not redundant, because it is a retry', () => {
  const failed = call({ order: 7 }, { error: 'no network' })
  expect(evaluate(failed, failed, call({ order: 7 }))).toMatchObject({ score: 1 })
})

test('a trace without results is not evaluated', () => {
  expect(evaluate(call({ order: 7 }, null)).status).toBe('not_applicable')
})
