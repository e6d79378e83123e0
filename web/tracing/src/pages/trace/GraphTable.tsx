import { KindIcon } from '@assay/ui/KindIcon.tsx'
import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { useMemo } from 'react'
import { CostText } from '../../parts/CostText.tsx'
import type { AgentGraph, GraphNode } from './agent-graph.ts'
import styles from './views.module.css'

interface Props {
  readonly graph: AgentGraph
  readonly chosenId: string | undefined
  readonly onChoose: (node: GraphNode) => void
}

/** The accessible version of the graph, with the totals of each node. */
export function GraphTable({ graph, chosenId, onChoose }: Props) {
  const names = useMemo(() => new Map(graph.nodes.map(({ id, name }) => [id, name])), [graph])
  const callees = useMemo(() => {
    const found = new Map<string, string[]>()
    for (const { from, to, count } of graph.edges) {
      const words = `${names.get(to)}${count > 1 ? ` ×${formatCount(count)}` : ''}`
      found.set(from, [...(found.get(from) ?? []), words])
    }
    return found
  }, [graph, names])
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption className="visually-hidden">Nodes of the call graph and their callees</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className={styles.numeric}>
              Spans
            </th>
            <th scope="col" className={styles.numeric}>
              Errors
            </th>
            <th scope="col" className={styles.numeric}>
              Time
            </th>
            <th scope="col" className={styles.numeric}>
              Tokens
            </th>
            <th scope="col" className={styles.numeric}>
              Cost
            </th>
            <th scope="col">Calls</th>
          </tr>
        </thead>
        <tbody>
          {graph.nodes.map((node) => (
            <tr key={node.id} data-chosen={node.id === chosenId || undefined}>
              <th scope="row">
                <button type="button" className={styles.plain} onClick={() => onChoose(node)}>
                  <KindIcon kind={node.kind} sizePx={15} />
                  <span>{node.name}</span>
                </button>
              </th>
              <td className={styles.numeric}>{formatCount(node.count)}</td>
              <td className={`${styles.numeric} ${node.errors > 0 ? styles.bad : ''}`}>
                {formatCount(node.errors)}
              </td>
              <td className={styles.numeric}>{formatDuration(node.totalMs)}</td>
              <td className={styles.numeric}>{formatTokens(node.tokens)}</td>
              <td className={styles.numeric}>
                <CostText usd={node.costUsd} />
              </td>
              <td>
                {[
                  ...(callees.get(node.id) ?? []),
                  ...(node.selfCalls > 0 ? [`itself ×${formatCount(node.selfCalls)}`] : []),
                ].join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
