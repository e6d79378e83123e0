import { expect, test } from 'vitest'
import { sampleView } from '../../domain/trace-view/trace-view.samples.ts'
import { profanity } from './profanity.ts'

const evaluate = (text: string, question = 'Hello') =>
  profanity.evaluate(
    sampleView([
      {
        kind: 'agent',
        input: { messages: [{ role: 'user', content: question }] },
        output: { text },
      },
    ]),
    { siblings: [] },
  )

test.each(['That is bullshit.', 'What the sh1t.', 'shiiit happens'])('"%s" fails', (text) => {
  const verdict = evaluate(text)
  expect(verdict).toMatchObject({ score: 0, evidence: [{ spanId: 's0', quote: text }] })
  expect(verdict.reasoning).toMatch(/^The answer contains "\w\*+"\.$/)
})

test.each([
  'He passed the class assessment in Scunthorpe.',
  'Add a shitake mushroom.',
  'The sex of the patient is recorded with her weight.',
])('"%s" passes', (text) => {
  expect(evaluate(text)).toMatchObject({ score: 1 })
})

test('a word of the user passes, another one does not', () => {
  expect(evaluate('Shit means feces.', 'What does shit mean?')).toMatchObject({ score: 1 })
  expect(evaluate('Damn bastard.', 'What does shit mean?')).toMatchObject({ score: 0 })
})

test('an answer in another language is not evaluated, and none is not either', () => {
  expect(evaluate('Morgen regnet es in ganz Norddeutschland, ass und so.')).toEqual({
    status: 'not_applicable',
    reasoning: 'The answer is in German; the list is English.',
  })
  expect(evaluate('').status).toBe('not_applicable')
})
