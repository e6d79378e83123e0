import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../test/sample-span.ts'
import { findOuterCalls, hasTokens, innermost } from './counted-usage.ts'
import { buildTree } from './span-tree.ts'

const call = (spanId: string, parentId: string | null, changes = {}) =>
  sampleSpan(spanId, parentId, { kind: 'llm', tokens_in: 5, ...changes })

describe('a model call around another', () => {
  test('does not count, and refers to the first one within that does', () => {
    const tree = buildTree([
      call('framework', null),
      sampleSpan('chain', 'framework', { kind: 'chain' }),
      call('client', 'chain'),
      call('second', 'chain'),
    ])
    expect([...findOuterCalls(tree)]).toEqual([['framework', 'client']])
  })

  test('does not count without tokens either, as its direct parent', () => {
    const none = { tokens_in: null }
    const tree = buildTree([call('framework', null, none), call('client', 'framework', none)])
    expect([...findOuterCalls(tree)]).toEqual([['framework', 'client']])
  })

  test('counts where the server found that their responses differ', () => {
    const tree = buildTree([
      call('stream', null, { is_separate_call: true }),
      call('client', 'stream'),
      call('sdk', 'client'),
    ])
    expect([...findOuterCalls(tree)]).toEqual([['client', 'sdk']])
    const counted = innermost(tree, hasTokens).map((at) => tree.nodes[at]?.span.span_id)
    expect(counted).toEqual(['stream', 'sdk'])
  })
})

test('agents, tools and calls beside others are not marked', () => {
  const tree = buildTree([
    sampleSpan('agent', null, { kind: 'agent', tokens_in: 10 }),
    call('first', 'agent'),
    call('second', 'agent'),
    sampleSpan('tool', 'second', { kind: 'tool' }),
  ])
  expect(findOuterCalls(tree).size).toBe(0)
})
