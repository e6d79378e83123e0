import { describe, expect, test } from 'vitest'
import { completed, completionForTab, completionsAt, type KnownValues } from './completion.ts'

const known: KnownValues = {
  model: ['gpt-5', 'gpt-5-mini', 'claude-opus'],
  name: ['refund order', 'report'],
  kind: ['planner'],
}

/** The completions at the caret, marked with a bar. */
function offered(marked: string): readonly string[] {
  const caret = marked.indexOf('|')
  return completionsAt(marked.replace('|', ''), caret, known).map(({ text }) => text)
}

describe('the query box offers', () => {
  test('every key for empty text', () => {
    expect(offered('|')).toEqual(expect.arrayContaining(['status:', 'model:', 'tag:', 'last:']))
    expect(offered('status:error |')).toContain('model:')
  })

  test.each([
    ['st|', ['status:']],
    ['MIN|', ['cost>', 'duration>', 'min_score:', 'tokens>']],
    ['cos|', ['cost>', 'cost<']],
    ['att|', ['attr.']],
    ['-mod|', ['-model:']],
    ['-model:gpt|', ['-model:gpt-5', '-model:gpt-5-mini']],
    ['model:gpt-5,cl|', ['model:gpt-5,claude-opus']],
    ['environ|', ['env:']],
    ['refund mo|', ['model:', 'mode:']],
    ['zzz|', []],
    ['"sta|', []],
    ['status:|', ['status:ok', 'status:error']],
    ['status:e|', ['status:error']],
    ['status:error|', []],
    ['status:ok,|', []],
    ['attr.|', []],
    ['passed:f|', ['passed:false']],
    ['model:gpt|', ['model:gpt-5', 'model:gpt-5-mini']],
    ['model:mini|', ['model:gpt-5-mini']],
    ['name:ref|', ['name:"refund order"']],
    ['name:"refund o|', ['name:"refund order"']],
    ['kind:pl|', ['kind:planner']],
    ['kind:llm|', []],
    ['nothing:x|', []],
    ['model:cl| status:error', ['model:claude-opus']],
  ])('for %s', (marked, expected) => {
    expect([...offered(marked)].toSorted()).toEqual([...expected].toSorted())
  })
})

test.each([
  ['mod|', 'model:'],
  ['refund model:gp|', 'model:gpt-5'],
  ['model:gpt-5,cl|', 'model:gpt-5,claude-opus'],
  ['|', undefined],
  ['refund |', undefined],
  ['model:|', undefined],
  ['model:gpt-5,|', undefined],
  ['name:"|', undefined],
  ['zzz|', undefined],
])('Tab completes only what is typed in part: %s', (marked, expected) => {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  const offers = completionsAt(text, caret, known)
  expect(completionForTab(text, caret, offers)?.text).toBe(expected)
})

test.each([
  ['mod|', 'model:|'],
  ['model:cl|', 'model:claude-opus |'],
  ['model:cl| status:error', 'model:claude-opus| status:error'],
  ['model:gpt-5,cl|', 'model:gpt-5,claude-opus |'],
  ['refund name:ref|', 'refund name:"refund order" |'],
])('taking the first completion turns %s into %s', (marked, expected) => {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  const [first] = completionsAt(text, caret, known)
  if (first === undefined) throw new Error('there is a completion')
  const next = completed(text, first)
  expect(`${next.text.slice(0, next.caret)}|${next.text.slice(next.caret)}`).toBe(expected)
})
