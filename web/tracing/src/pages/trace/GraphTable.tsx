import { KindIcon } from '@assay/ui/KindIcon.tsx'
import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
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
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]))
  const listCallees = ({ id, selfCalls }: GraphNode) => [
    ...graph.edges
      .filter(({ from }) => from === id)
      .map(({ to, count }) => `${names.get(to)}${count > 1 ? ` ×${formatCount(count)}` : ''}`),
    ...(selfCalls > 0 ? [`itself ×${formatCount(selfCalls)}`] : []),
  ]
  const columns: readonly Column<GraphNode>[] = [
    {
      key: 'name',
      header: 'Name',
      cell: (node) => (
        <button
          type="button"
          className={styles.plain}
          aria-current={node.id === chosenId || undefined}
          onClick={() => onChoose(node)}
        >
          <KindIcon kind={node.kind} sizePx={15} />
          <span>{node.name}</span>
        </button>
      ),
      sortValue: ({ name }) => name,
      className: styles.nowrap,
    },
    numberColumn('Spans', ({ count }) => count, formatCount),
    numberColumn('Errors', ({ errors }) => errors, formatCount),
    numberColumn('Time', ({ totalMs }) => totalMs, formatDuration),
    numberColumn('Tokens', ({ tokens }) => tokens, formatTokens),
    {
      key: 'cost',
      header: 'Cost',
      align: 'end',
      cell: ({ costUsd }) => <CostText usd={costUsd} />,
      sortValue: ({ costUsd }) => costUsd,
    },
    {
      key: 'calls',
      header: 'Calls',
      cell: (node) => listCallees(node).join(', '),
      className: styles.nowrap,
    },
  ]
  return (
    <DataTable
      caption="Nodes of the call graph and their callees"
      rows={graph.nodes}
      columns={columns}
      rowKey={({ id }) => id}
      isRowClickable
    />
  )
}

function numberColumn(
  header: string,
  valueOf: (node: GraphNode) => number,
  format: (value: number) => string,
): Column<GraphNode> {
  return {
    key: header,
    header,
    align: 'end',
    cell: (node) => format(valueOf(node)),
    sortValue: valueOf,
  }
}
