import type { SearchChange } from '@assay/account/routes/search-params.ts'
import { Divider } from '@assay/ui/Divider.tsx'
import { useLocalStorage } from '@mantine/hooks'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { criticalPath } from '../../spans/critical-path.ts'
import type { SpanTree } from '../../spans/span-tree.ts'
import { toTimeScale } from '../../spans/time-scale.ts'
import { sumUsage } from '../../spans/usage-sums.ts'
import { Minimap } from './Minimap.tsx'
import { TimeRuler } from './TimeRuler.tsx'
import { TreeList } from './TreeList.tsx'
import { TreeToolbar } from './TreeToolbar.tsx'
import {
  following,
  scaleWithin,
  type TimeWindow,
  windowFrom,
  windowText,
  zoomed,
} from './time-window.ts'
import styles from './tree.module.css'
import { spansNamed } from './tree-find.ts'
import { type CollapseState, initiallyCollapsed, treeRows } from './tree-rows.ts'
import { useDebouncedSearchParam } from './use-debounced-search-param.ts'
import type { ErrorNavigation } from './use-error-navigation.ts'
import type { ViewSearch } from './view-search.ts'

interface Props {
  readonly tree: SpanTree
  readonly isComplete: boolean
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
  readonly errors: ErrorNavigation
  readonly outerCalls: ReadonlyMap<string, string>
  readonly search: ViewSearch
  readonly onSearch: (change: SearchChange<ViewSearch>) => void
}

/** The span tree with its waterfall, and the minimap above. */
export function TreePane(props: Props) {
  const { tree, isComplete, selectedId, onSelect, errors, search, onSearch } = props
  const [collapse, setCollapse] = useState<CollapseState>(initiallyCollapsed)
  const [searchText, setSearchText] = useState('')
  const needle = useDeferredValue(searchText.trim())
  const rows = useMemo(() => treeRows(tree, collapse), [tree, collapse])
  const whole = useMemo(() => toTimeScale(tree), [tree])
  const named = useMemo(() => spansNamed(tree, needle), [tree, needle])
  const isPathShown = search.path === '1'
  const path = useMemo(() => (isPathShown ? criticalPath(tree) : undefined), [isPathShown, tree])
  const sums = useMemo(() => sumUsage(tree), [tree])
  const [isUsageShown, showUsage] = useLocalStorage({
    key: 'assay-tree-usage',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  const shownSums = isUsageShown ? sums : undefined
  const scroller = useRef<HTMLDivElement>(null)

  const [time, setTime] = useDebouncedSearchParam(search.time ?? '', (text) =>
    onSearch({ time: text === '' ? undefined : text }),
  )
  const window = useMemo(() => windowFrom(time, whole), [time, whole])
  const scale = useMemo(() => scaleWithin(whole, window), [whole, window])
  const setWindow = (next: TimeWindow) => setTime(windowText(next, whole))

  // A span selected from elsewhere may be outside the visible time: move the window there.
  const shownId = useRef(selectedId)
  useEffect(() => {
    const at = tree.positionById.get(selectedId ?? '')
    if (shownId.current === selectedId || at === undefined) return
    shownId.current = selectedId
    const next = following(window, whole, tree.startMs[at] as number, tree.endMs[at] as number)
    if (next !== window) setTime(windowText(next, whole))
  }, [selectedId, tree, window, whole, setTime])

  function zoom(factor: number): void {
    const at = tree.positionById.get(selectedId ?? '') ?? -1
    const middle = (window.fromMs + window.toMs) / 2
    const around = at === -1 ? middle : (tree.startMs[at] as number) - whole.startMs
    setWindow(zoomed(window, whole, factor, around))
  }

  return (
    <section className={styles.root} aria-label="Spans">
      <TreeToolbar
        tree={tree}
        searchText={searchText}
        onSearchText={setSearchText}
        named={named}
        selectedId={selectedId}
        onSelect={onSelect}
        onCollapse={setCollapse}
        errors={errors}
        path={path}
        onPath={(isOn) => onSearch({ path: isOn ? '1' : undefined })}
        isUsageShown={sums === undefined ? undefined : isUsageShown}
        onUsage={showUsage}
      />
      <Minimap
        tree={tree}
        rows={rows}
        whole={whole}
        window={window}
        onWindow={setWindow}
        scroller={scroller}
      />
      <div className={styles.rows} data-usage={shownSums !== undefined || undefined}>
        <TimeRuler scale={scale} whole={whole} window={window} onWindow={setWindow} onZoom={zoom} />
        <TreeList
          ref={scroller}
          tree={tree}
          rows={rows}
          scale={scale}
          collapse={collapse}
          onCollapse={setCollapse}
          selectedId={selectedId}
          onSelect={onSelect}
          onZoom={(factor) => (factor === undefined ? setTime('') : zoom(factor))}
          needle={needle}
          isComplete={isComplete}
          path={path}
          sums={shownSums}
          outerCalls={props.outerCalls}
        />
        <Divider
          className={styles.namesDivider}
          label="Width of the span names"
          storageKey="assay-tree-names"
          variable="--names"
          initial={42}
          min={20}
          max={70}
        />
      </div>
    </section>
  )
}
