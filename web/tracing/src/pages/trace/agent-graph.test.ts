import type { ListedSpan } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { buildTree } from '../../spans/span-tree.ts'
import { agentGraph } from './agent-graph.ts'

function part(id: string, parent: string | null, kind: string, more: Partial<ListedSpan> = {}) {
  return sampleSpan(id, parent, { name: id.replace(/\d+$/, ''), kind, latency_ms: 10, ...more })
}

const graph = (spans: readonly ListedSpan[], withFunctions = false, maxNodes = 60) =>
  agentGraph(buildTree(spans), { withFunctions, maxNodes })

const run = [
  part('agent', null, 'agent', { latency_ms: 100 }),
  part('chat1', 'agent', 'llm', { tokens_in: 5, tokens_out: 2, cost_usd: 0.1 }),
  part('helper', 'agent', 'function'),
  part('search1', 'helper', 'tool', { status: 'ERROR' }),
  part('search2', 'helper', 'tool'),
  part('chat2', 'agent', 'llm', { tokens_in: 1 }),
]

describe('the agent graph', () => {
  test('has one node per kind and name with the totals of its spans', () => {
    expect(graph(run).nodes).toMatchObject([
      { name: 'agent', count: 1, errors: 0, totalMs: 100, costUsd: null },
      { name: 'chat', kind: 'llm', count: 2, tokens: 8, costUsd: 0.1, spans: [1, 5] },
      { name: 'search', count: 2, errors: 1, totalMs: 20 },
    ])
  })

  test('skips functions unless requested', () => {
    const lines = (withFunctions: boolean) =>
      graph(run, withFunctions).edges.map(
        ({ from, to, count, errors }) => `${from} > ${to} ${count} ${errors}`,
      )
    expect(lines(false)).toEqual(['agent:agent > llm:chat 2 0', 'agent:agent > tool:search 2 1'])
    expect(lines(true)).toEqual([
      'agent:agent > llm:chat 2 0',
      'agent:agent > function:helper 1 0',
      'function:helper > tool:search 2 1',
    ])
  })

  test('shows functions when a trace has nothing else', () => {
    const { nodes } = graph([part('main', null, 'function'), part('step', 'main', 'function')])
    expect(nodes.map(({ name }) => name)).toEqual(['main', 'step'])
  })

  test('counts recursive calls on the node', () => {
    const { nodes, edges } = graph([
      part('agent1', null, 'agent'),
      part('agent2', 'agent1', 'agent'),
    ])
    expect(nodes).toMatchObject([{ count: 2, selfCalls: 1 }])
    expect(edges).toEqual([])
  })

  test('keeps the slowest nodes, connects callers across dropped ones and reports their number', () => {
    const spans = [
      part('agent', null, 'agent', { latency_ms: 100 }),
      part('brief', 'agent', 'chain', { latency_ms: 1 }),
      part('chat', 'brief', 'llm', { latency_ms: 90 }),
    ]
    const { nodes, edges, nodesLeftOut } = graph(spans, false, 2)
    expect(nodes.map(({ name }) => name)).toEqual(['agent', 'chat'])
    expect(edges).toMatchObject([{ from: 'agent:agent', to: 'llm:chat' }])
    expect(nodesLeftOut).toBe(1)
  })
})
