import { type SearchChange, updateSearch } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { Divider } from '@assay/ui/Divider.tsx'
import { lazyView } from '@assay/ui/lazy-part.tsx'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { useProject } from '../../shell/use-project.ts'
import { findOuterCalls } from '../../spans/counted-usage.ts'
import type { SpanTree } from '../../spans/span-tree.ts'
import { minimapHeight } from './minimap-cells.ts'
import { SpanPane } from './SpanPane.tsx'
import { TraceTabs } from './TraceTabs.tsx'
import { TreePane } from './TreePane.tsx'
import styles from './trace.module.css'
import { treeRowPx } from './tree-rows.ts'
import { useDebouncedSearchParam } from './use-debounced-search-param.ts'
import { useErrorNavigation } from './use-error-navigation.ts'
import type { ScrollPosition } from './use-scroll-position.ts'
import type { TraceViewName, ViewSearch } from './view-search.ts'

const CommentsView = lazyView(() => import('./CommentsView.tsx').then((file) => file.CommentsView))
const EvaluationsView = lazyView(() =>
  import('./EvaluationsView.tsx').then((file) => file.EvaluationsView),
)
const GraphView = lazyView(() => import('./GraphView.tsx').then((file) => file.GraphView))
const LogsView = lazyView(() => import('./LogsView.tsx').then((file) => file.LogsView))
const UsageView = lazyView(() => import('./UsageView.tsx').then((file) => file.UsageView))

const route = getRouteApi('/signed-in/p/$projectId/traces/$traceId')

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly spanCount: number
  readonly tree: SpanTree
  /** The tree has all spans. */
  readonly isComplete: boolean
}

/** The active view of the trace, and the selected span next to it. */
export function Panes({ projectId, traceId, spanCount, tree, isComplete }: Props) {
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const canComment = useProject()?.can('manage_comments') === true
  const isCompact = useMediaQuery('(width < 900px)', false, { getInitialValueInEffect: false })

  function change(next: SearchChange<ViewSearch>, isStep = false): void {
    void navigate({
      search: (before) => updateSearch(before, next),
      replace: !isStep,
      resetScroll: false,
    })
  }
  const [selected, select] = useDebouncedSearchParam(search.span, (span) => change({ span }))
  const first = tree.nodes[tree.roots[0] ?? -1]?.span.span_id
  const shown = selected ?? first
  const outerCalls = useMemo(() => findOuterCalls(tree), [tree])
  const errors = useErrorNavigation(tree, shown, select)
  const view = search.view === 'comments' && !canComment ? 'spans' : (search.view ?? 'spans')
  const graphScroll = {
    view: useRef<ScrollPosition>(undefined),
    drawing: useRef({ left: 0, top: 0 }),
  }
  const common = { tree, selectedId: shown, onSelect: select, search, onSearch: change }

  const side = (
    <TraceTabs
      projectId={projectId}
      traceId={traceId}
      spanCount={spanCount}
      canComment={canComment}
      view={view}
      onView={(next) => change({ view: next === 'spans' ? undefined : next }, true)}
    >
      {view === 'spans' && <TreePane {...common} {...{ isComplete, errors, outerCalls }} />}
      {view === 'graph' && <GraphView {...common} scroll={graphScroll} />}
      {view === 'usage' && <UsageView {...common} />}
      {view === 'logs' && <LogsView {...common} projectId={projectId} traceId={traceId} />}
      {view === 'evaluations' && (
        <EvaluationsView
          {...{ projectId, traceId }}
          nameOfSpan={(id) => tree.nodes[tree.positionById.get(id) ?? -1]?.span.name ?? id}
          onSelect={select}
        />
      )}
      {view === 'comments' && <CommentsView projectId={projectId} traceId={traceId} />}
    </TraceTabs>
  )
  const spanPane = shown !== undefined && (
    <SpanPane
      projectId={projectId}
      traceId={traceId}
      spanId={shown}
      node={tree.nodes[tree.positionById.get(shown) ?? -1]}
      innerCallId={outerCalls.get(shown)}
      isLoadingTrace={!isComplete}
      tab={search.tab}
      onTab={(tab) => change({ tab })}
    />
  )
  if (isCompact) {
    return (
      <div className={styles.stack}>
        <div className={styles.stackSide} style={sideStyle(view, tree)}>
          {side}
        </div>
        {spanPane}
      </div>
    )
  }
  return (
    <div className={styles.panes}>
      <div className={styles.pane}>{side}</div>
      <Divider
        label="Width of the trace views"
        storageKey="assay-trace-views"
        variable="--views"
        initial={56}
        min={25}
        max={75}
      />
      <div className={styles.pane}>{spanPane}</div>
    </div>
  )
}

/** The height above the tree rows without the minimap: tabs, toolbar and ruler. */
const headPx = 158

/** The tree is as high as its rows, up to the limit in the style sheet. Other views have their natural height. */
function sideStyle(view: TraceViewName, { nodes }: SpanTree) {
  return view === 'spans'
    ? { height: headPx + minimapHeight(nodes.length) + nodes.length * treeRowPx }
    : {}
}
