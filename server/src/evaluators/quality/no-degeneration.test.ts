import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { noDegeneration } from './no-degeneration.ts'

const evaluate = (...answers: readonly string[]) =>
  noDegeneration.evaluate(
    sampleView(
      answers.map((content) => ({
        kind: 'llm',
        output: { messages: [{ role: 'assistant', content }] },
      })),
    ),
    { siblings: [] },
  )
const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}x`).join(' ')
const prose =
  'The order left Bergen on Monday, reached Oslo on Tuesday, and will be delivered to your door on Wednesday before noon, weather permitting.'

test.each([
  ['prose', prose],
  ['a code block with equal lines', `${prose}\n\`\`\`\n${'x = x + 1\n'.repeat(40)}\`\`\``],
  ['a table', `${prose}\n${'| yes | no | yes | no |\n'.repeat(40)}`],
  ['a list with equal short items', `${prose}\n${'none\n'.repeat(10)}`],
])('%s does not repeat itself', (_what, text) => {
  expect(evaluate(text)).toMatchObject({ status: 'scored', score: 1 })
})

test('a phrase repeated endlessly scores 0', () => {
  expect(evaluate(prose, 'I am sorry, I cannot. '.repeat(50))).toMatchObject({
    score: 0,
    evidence: [{ spanId: 's1' }],
  })
})

test('a line repeated more than five times in a row scores 0', () => {
  const lines = `${words(400)}\n${'Checking the order.\n'.repeat(6)}`
  expect(evaluate(lines)).toMatchObject({
    score: 0,
    evidence: [{ spanId: 's0', quote: 'Checking the order.' }],
  })
  expect(evaluate(lines.replace('order.\n', 'order.\nAgain.\n'))).toMatchObject({ score: 1 })
})

test('a text of which half repeats scores between', () => {
  const half = words(40)
  expect(evaluate(`${half} ${half}`)).toMatchObject({ score: expect.closeTo(0.44, 1) })
})

test('a trace with short answers only is not evaluated', () => {
  expect(evaluate('ha ha ha ha ha').status).toBe('not_applicable')
})
