import { limits } from '@assay/contract/limits.ts'
import { expect, test } from 'vitest'
import { sampleView } from '../domain/trace-view/trace-view.samples.ts'
import { isQuoteOf, shareOfGood } from './verdicts.ts'

const answer = 'Two lines:\n"one" and two'
const messages = [{ role: 'assistant', content: answer }]

test.each([
  ['text', answer],
  ['messages', { messages }],
  ['messages in JSON text', JSON.stringify({ messages })],
  ['messages in JSON text within an object', { value: JSON.stringify(messages) }],
])('an answer is a quote of a span that has it as %s', (_name, output) => {
  const [span] = sampleView([{ kind: 'agent', output }]).spans
  expect(isQuoteOf(span!, answer)).toBe(true)
  expect(isQuoteOf(span!, 'three')).toBe(false)
})

test('a masked quote is one of any span, an empty one of none', () => {
  const [span] = sampleView([{ kind: 'agent' }]).spans
  expect(isQuoteOf(span!, 'ghp_…dE')).toBe(true)
  expect(isQuoteOf(span!, '')).toBe(false)
})

test('a span is read once, however many quotes are looked for', () => {
  const [span] = sampleView([{ kind: 'agent' }]).spans
  let reads = 0
  const output = {
    get text() {
      reads += 1
      return answer
    },
  }
  const counted = { ...span!, output }
  expect(isQuoteOf(counted, 'nowhere')).toBe(false)
  const once = reads
  for (let n = 0; n < 1000; n += 1) expect(isQuoteOf(counted, `nowhere ${n}`)).toBe(false)
  expect(isQuoteOf(counted, answer)).toBe(true)
  expect(reads).toBe(once)
})

test('quotes are looked for only as many as a result has, and none for what is good', () => {
  let found = 0
  const evidence = () => {
    found += 1
    return { spanId: 's0', quote: String(found) }
  }
  const issue = 'Wrong.'
  const good = { isGood: true, issue, evidence }
  const bad = Array.from({ length: 5000 }, () => ({ ...good, isGood: false }))
  const verdict = shareOfGood([...bad, ...bad.map(() => good)], ['check', 'checks'])
  expect(verdict.score).toBe(0.5)
  expect(verdict.evidence).toHaveLength(limits.evaluationQuotes.value)
  expect(found).toBe(limits.evaluationQuotes.value)
})
