import { expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { buildTree } from '../../spans/span-tree.ts'
import { agentGraph } from './agent-graph.ts'
import { toBoxes } from './graph-boxes.ts'
import { toEdgeId, toLabels } from './graph-labels.ts'
import { computeLayout } from './graph-layout.ts'

/** An agent that calls each tool twice, and the first tool a third time. */
function drawn(tools: number) {
  const calls = Array.from({ length: tools * 2 + 1 }, (_, n) =>
    sampleSpan(`c${n}`, 'agent', { kind: 'tool', name: `tool ${n % tools}` }),
  )
  const tree = buildTree([sampleSpan('agent', null, { kind: 'agent' }), ...calls])
  const graph = agentGraph(tree, { maxNodes: 60, withFunctions: false })
  const ids = graph.nodes.map(({ id }) => id)
  return { graph, boxes: toBoxes(graph.nodes, computeLayout(ids, graph.edges)) }
}

const edgeTo = (tool: string) => toEdgeId({ from: 'agent:agent', to: `tool:${tool}` })

test('a graph of few edges labels each with its calls', () => {
  const { graph, boxes } = drawn(5)
  const labels = toLabels(graph, boxes, undefined)
  expect(labels.size).toBe(5)
  expect(labels.get(edgeTo('tool 0'))?.text).toBe('×3')
})

test('a graph of many edges labels only those of the node that is pointed at or chosen', () => {
  const { graph, boxes } = drawn(30)
  expect(toLabels(graph, boxes, undefined).size).toBe(0)
  expect([...toLabels(graph, boxes, 'tool:tool 7').keys()]).toEqual([edgeTo('tool 7')])
})
