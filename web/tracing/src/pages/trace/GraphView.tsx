import type { SearchChange } from '@assay/account/routes/search-params.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { formatCount } from '@assay/ui/number-format.ts'
import { ActionIcon, Button, Switch } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconHierarchy2 } from '@tabler/icons-react'
import { type RefObject, useMemo } from 'react'
import type { SpanTree } from '../../spans/span-tree.ts'
import { agentGraph, type GraphNode } from './agent-graph.ts'
import { GraphDrawing } from './GraphDrawing.tsx'
import { GraphTable } from './GraphTable.tsx'
import type { GraphScroll } from './use-graph-view.ts'
import { type ScrollPosition, useScrollPosition } from './use-scroll-position.ts'
import type { ViewSearch } from './view-search.ts'
import styles from './views.module.css'

interface Props {
  readonly tree: SpanTree
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
  readonly search: ViewSearch
  readonly onSearch: (change: SearchChange<ViewSearch>) => void
  readonly scroll: GraphScrolls
}

/** Where the view and its drawing are scrolled to, while another view is open. */
export interface GraphScrolls {
  readonly view: RefObject<ScrollPosition | undefined>
  readonly drawing: RefObject<GraphScroll>
}

const maxNodes = 60

/** The call graph as a drawing and as a table. */
export function GraphView({ tree, selectedId, onSelect, search, onSearch, scroll }: Props) {
  const view = useScrollPosition(scroll.view)
  const withFunctions = search.functions === '1'
  const graph = useMemo(() => agentGraph(tree, { maxNodes, withFunctions }), [tree, withFunctions])
  const chosen = graph.nodes.find(({ id }) => id === search.node)

  const selected = tree.positionById.get(selectedId ?? '') ?? -1
  const focused = chosen ?? graph.nodes.find(({ spans }) => spans.includes(selected))

  function choose(node: GraphNode): void {
    onSearch({ node: node.id })
    const isWithin = node.spans.some((at) => tree.nodes[at]?.span.span_id === selectedId)
    const first = tree.nodes[node.spans[0] ?? -1]?.span
    if (!isWithin && first !== undefined) onSelect(first.span_id)
  }

  if (graph.nodes.length === 0) {
    return (
      <EmptyState icon={<IconHierarchy2 size={20} />} title="No spans">
        This trace has no spans.
      </EmptyState>
    )
  }
  return (
    <div ref={view} className={styles.view}>
      <GraphDrawing
        graph={graph}
        chosenId={chosen?.id}
        focusedId={focused?.id}
        onChoose={choose}
        scroll={scroll.drawing}
        bar={
          <>
            <Switch
              size="xs"
              label="Show functions"
              checked={withFunctions}
              onChange={(event) =>
                onSearch({
                  functions: event.currentTarget.checked ? '1' : undefined,
                  node: undefined,
                })
              }
            />
            <span className={styles.gap} />
            {chosen !== undefined && (
              <Chosen
                node={chosen}
                tree={tree}
                selectedId={selectedId}
                onSelect={onSelect}
                onClear={() => onSearch({ node: undefined })}
              />
            )}
          </>
        }
        note={
          graph.nodesLeftOut > 0 && (
            <p className={styles.note} role="status">
              Showing the {formatCount(graph.nodes.length)} slowest nodes;{' '}
              {formatCount(graph.nodesLeftOut)} others are hidden, and their callees are attributed
              to their callers.
            </p>
          )
        }
      />
      <h2 className={styles.heading}>Table</h2>
      <GraphTable graph={graph} chosenId={chosen?.id} onChoose={choose} />
    </div>
  )
}

interface ChosenProps {
  readonly node: GraphNode
  readonly tree: SpanTree
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
  readonly onClear: () => void
}

/** Steps through the spans of one node. */
function Chosen({ node, tree, selectedId, onSelect, onClear }: ChosenProps) {
  const here = node.spans.indexOf(tree.positionById.get(selectedId ?? '') ?? -1)
  function go(step: 1 | -1): void {
    const at = (here + step + node.count) % node.count
    const span = tree.nodes[node.spans[at] ?? -1]?.span
    if (span !== undefined) onSelect(span.span_id)
  }
  return (
    <>
      <span role="status">
        <strong>{node.name}</strong>: span {here === -1 ? '–' : formatCount(here + 1)} of{' '}
        {formatCount(node.count)}
      </span>
      <ActionIcon.Group>
        <ActionIcon aria-label="Previous span of this node" onClick={() => go(-1)}>
          <IconChevronLeft size={15} />
        </ActionIcon>
        <ActionIcon aria-label="Next span of this node" onClick={() => go(1)}>
          <IconChevronRight size={15} />
        </ActionIcon>
      </ActionIcon.Group>
      <Button variant="default" size="compact-xs" onClick={onClear}>
        Clear
      </Button>
    </>
  )
}
