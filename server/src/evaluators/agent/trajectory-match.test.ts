import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { assign } from './assign.ts'
import { trajectoryMatch } from './trajectory-match.ts'

type Call = string | { readonly name: string; readonly args: unknown }

function evaluate(calls: readonly Call[], expected: unknown, mode?: string) {
  const attributes = {
    ...(expected !== undefined && { 'eval.expected_tools': expected }),
    ...(mode !== undefined && { 'eval.match_mode': mode }),
  }
  return trajectoryMatch.evaluate(
    sampleView([
      { kind: 'agent', attributes },
      ...calls.map((call) =>
        typeof call === 'string'
          ? { kind: 'tool', name: call }
          : { kind: 'tool', name: call.name, input: call.args },
      ),
    ]),
    { siblings: [] },
  )
}

describe('calls of find, pay', () => {
  const calls = ['find', 'pay']

  test.each([
    ['exact', ['find', 'pay'], 1],
    ['exact', ['pay', 'find'], 0],
    ['exact', ['find', 'pay', 'mail'], 2 / 3],
    ['in_order', ['find'], 1],
    ['in_order', ['pay', 'find'], 0.5],
    ['any_order', ['pay', 'find'], 1],
    ['any_order', ['pay'], 1],
    ['superset', ['pay', 'mail'], 0.5],
    ['subset', ['find', 'mail', 'pay'], 1],
    ['subset', ['find'], 0.5],
    ['f1', ['find', 'pay'], 1],
    ['f1', ['find'], 2 / 3],
    ['f1', [], 0],
    [undefined, ['find', 'pay', 'mail', 'log'], 2 / 3],
  ])('in mode %s for the expected %j score %f', (mode, expected, score) => {
    expect(evaluate(calls, expected, mode)).toMatchObject({ score: expect.closeTo(score) })
  })

  test('are compared with the names in a tag', () => {
    expect(evaluate(calls, 'find, pay')).toMatchObject({ score: 1 })
  })

  test('that are missing or not expected are reported', () => {
    expect(evaluate(calls, ['find', 'mail'])).toMatchObject({
      issues: ['The expected call of mail is missing.', 'The call of pay is not expected.'],
      evidence: [{ spanId: 's2', quote: 'pay' }],
    })
  })
})

describe('expected arguments', () => {
  const find = (args: unknown) => ({ name: 'find', args })

  test('count by their share, and other arguments do not count', () => {
    const expected = [find({ order: 7, city: 'Oslo' })]
    expect(evaluate([find({ city: 'Oslo', order: 7, page: 1 })], expected)).toMatchObject({
      score: 1,
    })
    expect(evaluate([find({ order: 8, city: 'Oslo' })], expected)).toMatchObject({ score: 0.75 })
  })

  test('of repeated calls are paired so that most agree', () => {
    const calls = [find({ order: 7 }), find({ order: 8 })]
    expect(evaluate(calls, [find({ order: 8 }), find({ order: 7 })])).toMatchObject({ score: 1 })
    expect(evaluate(calls, ['find', find({ order: 7 })])).toMatchObject({ score: 1 })
  })
})

test('an unknown mode scores 0 and lists the modes', () => {
  expect(evaluate(['find'], ['find'], 'fuzzy')).toMatchObject({
    score: 0,
    issues: [expect.stringContaining('Use one of exact, in_order')],
  })
})

test.each([
  ['without expected tools', undefined],
  ['with something else as expected tools', 7],
  ['with a list of something else', [7]],
])('a trace %s is not evaluated', (_what, expected) => {
  expect(evaluate(['find'], expected).status).toBe('not_applicable')
})

test('the score is from 0 to 1, and 1 in every mode for the calls themselves', () => {
  const call = fc.record({
    name: fc.constantFrom('find', 'pay', 'mail'),
    args: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 2 })),
  })
  const mode = fc.constantFrom('exact', 'in_order', 'any_order', 'subset', 'superset', 'f1')
  fc.assert(
    fc.property(fc.array(call), fc.array(call), mode, (calls, expected, one) => {
      expect(evaluate(calls, calls, one)).toMatchObject({ score: 1 })
      const verdict = evaluate(calls, expected, one)
      expect(verdict).toMatchObject({ status: 'scored' })
    }),
  )
})

test('the assignment has the largest sum of all', () => {
  const weight = fc.constantFrom(0, 0.5, 0.7, 1)
  const matrix = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(weight, { minLength: columns, maxLength: columns }), {
        ...{ minLength: rows, maxLength: rows },
      }),
    )
  fc.assert(
    fc.property(matrix, (weights) => {
      const paired = assign(weights)
      const used = paired.filter((column) => column !== -1)
      expect(new Set(used).size).toBe(used.length)
      const sum = paired.reduce((all, column, row) => all + (weights[row]![column] ?? 0), 0)
      expect(sum).toBeCloseTo(best(weights, 0, new Set()))
    }),
  )
})

function best(
  weights: readonly (readonly number[])[],
  row: number,
  used: ReadonlySet<number>,
): number {
  if (row === weights.length) return 0
  const options = weights[row]!.flatMap((weight, column) =>
    used.has(column) ? [] : [weight + best(weights, row + 1, new Set([...used, column]))],
  )
  return Math.max(best(weights, row + 1, used), ...options)
}
