import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { noLoops } from './no-loops.ts'

type Samples = Parameters<typeof sampleView>[0]
const evaluate = (samples: Samples) =>
  noLoops.evaluate(sampleView([{ kind: 'agent' }, ...samples]), { siblings: [] })
const call = (name: string, output: unknown = 'pending', input: unknown = { order: 7 }) => ({
  ...{ kind: 'tool', name, input, output },
})
const llm = (content: string) => ({
  ...{ kind: 'llm', output: { messages: [{ role: 'assistant', content }] } },
})
const times = <One>(count: number, one: (n: number) => One) =>
  Array.from({ length: count }, (_, n) => one(n))

describe('tool calls', () => {
  test.each([
    [2, 1],
    [3, 0.5],
    [4, 1 / 3],
    [6, 0],
    [9, 0],
  ])('of one tool, %i times with the same result, score %f', (count, score) => {
    expect(evaluate(times(count, () => call('find')))).toMatchObject({
      score: expect.closeTo(score),
    })
  })

  test.each([
    ['two tools', 2],
    ['four tools', 4],
  ])('of %s in a cycle are a loop', (_what, period) => {
    const cycle = times(6 * period, (n) => call(`tool${n % period}`))
    expect(evaluate(cycle)).toMatchObject({ score: 0 })
    expect(evaluate(cycle.slice(0, 3 * period))).toMatchObject({ score: 0.5 })
    expect(evaluate(cycle.slice(0, 2 * period))).toMatchObject({ score: 1 })
  })

  test('whose result changes are polling', () => {
    expect(evaluate(times(9, (n) => call('find', `${n} %`)))).toMatchObject({ score: 1 })
  })

  test('with other arguments are no loop', () => {
    expect(evaluate(times(9, (n) => call('find', 'pending', { n })))).toMatchObject({ score: 1 })
  })

  test('in a loop are named and quoted', () => {
    expect(evaluate(times(3, () => call('find', 'pending', { city: 'Oslo' })))).toMatchObject({
      issues: ['find was called 3 times in a row with the same arguments and result.'],
      evidence: [{ spanId: 's3', quote: 'Oslo' }],
    })
  })
})

describe('answers', () => {
  const answer = 'I am still looking for the order, please wait a moment while I search.'

  test('of consecutive model calls that are nearly equal are a loop', () => {
    const verdict = evaluate(times(6, (n) => llm(`${answer}${'.'.repeat(n % 2)}`)))
    expect(verdict).toMatchObject({ score: 0 })
    expect(evaluate(times(3, () => llm(answer)))).toMatchObject({ score: 0.5 })
  })

  test('that are short or differ are no loop', () => {
    expect(evaluate(times(6, () => llm('Yes.')))).toMatchObject({ score: 1 })
    expect(
      evaluate([
        llm(answer),
        llm(answer),
        llm('The order left Bergen on Monday and is due in Oslo tomorrow.'),
      ]),
    ).toMatchObject({ score: 1 })
  })

  test('of parallel model calls may be equal', () => {
    const started_at = '2026-01-01T00:00:00.000Z'
    const parallel = times(6, () => ({ ...llm(answer), started_at }))
    expect(evaluate(parallel)).toMatchObject({ score: 1 })
  })
})

test('a step that calls itself with the same input is a loop', () => {
  const nested = (input: (n: number) => unknown) => [
    ...times(6, (n) => ({ kind: 'agent', name: 'plan', parent_span_id: `s${n}`, input: input(n) })),
    ...[llm('a'), llm('b')],
  ]
  expect(evaluate(nested(() => 'the same'))).toMatchObject({
    score: 0,
    evidence: [{ quote: 'the same' }],
  })
  expect(evaluate(nested((n) => `part ${n}`))).toMatchObject({ score: 1 })
})

test('spans that are their own ancestors are read', () => {
  const circle = [
    { kind: 'tool', span_id: 'a', parent_span_id: 'b', input: 1 },
    { kind: 'tool', span_id: 'b', parent_span_id: 'a', input: 1 },
  ]
  expect(evaluate(circle)).toMatchObject({ score: 1 })
})

test('a trace with one call is not evaluated', () => {
  expect(evaluate([call('find')]).status).toBe('not_applicable')
})
