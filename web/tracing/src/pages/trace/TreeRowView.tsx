import { countOf } from '@assay/ui/count-of.ts'
import { Highlighted } from '@assay/ui/Highlighted.tsx'
import { KindIcon } from '@assay/ui/KindIcon.tsx'
import { kindColor } from '@assay/ui/kinds.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import {
  IconAlertTriangle,
  IconCalculatorOff,
  IconChevronDown,
  IconChevronRight,
  IconRefreshAlert,
  IconRoute,
  IconUnlink,
} from '@tabler/icons-react'
import { memo, useMemo } from 'react'
import type { CriticalPath } from '../../spans/critical-path.ts'
import type { SpanNode, SpanTree } from '../../spans/span-tree.ts'
import { type TimeScale, toBar } from '../../spans/time-scale.ts'
import type { UsageSums } from '../../spans/usage-sums.ts'
import { RowUsage } from './RowUsage.tsx'
import { type RowLine, toRowLine } from './row-line.ts'
import styles from './tree.module.css'
import type { TreeRow } from './tree-rows.ts'

interface Props {
  readonly domId: string
  /** The row index; click handling reads it from `data-at`. */
  readonly at: number
  readonly topPx: number
  readonly row: TreeRow
  readonly tree: SpanTree
  readonly scale: TimeScale
  readonly needle: string
  readonly isComplete: boolean
  readonly isCurrent: boolean
  /** Undefined while hidden. */
  readonly path: CriticalPath | undefined
  /** Undefined while hidden. */
  readonly sums: UsageSums | undefined
  /** A call within it counts in its place. */
  readonly isOuterCall: boolean
}

/** Deeper rows stop indenting and show their depth as a number. */
const maxIndents = 12

const outerTitle = 'Not counted: a span within it reports the same call, and counts.'
const repeatedTitle =
  'Not counted: another instrumentation reports the same call, and its span counts.'

export const TreeRowView = memo(function TreeRowView(props: Props) {
  const { row, tree, scale, needle, isComplete, isCurrent, path } = props
  const line = useMemo(() => toRowLine(row, tree), [row, tree])
  if (line === undefined) return null
  const { name, node, count, isError, errorsHidden, canCollapse, durationMs } = line
  const selfMs = path && getSelfMs(row, path)
  const isOff = path !== undefined && selfMs === undefined
  return (
    <div
      id={props.domId}
      className={styles.row}
      role="treeitem"
      data-at={props.at}
      aria-level={row.depth + 1}
      aria-selected={isCurrent}
      aria-expanded={canCollapse ? row.isOpen : undefined}
      data-error={isError || undefined}
      data-off={isOff || undefined}
      style={{ top: props.topPx }}
    >
      <div
        className={styles.label}
        style={{ paddingLeft: `calc(4px + ${Math.min(row.depth, maxIndents)} * var(--indent))` }}
      >
        {canCollapse ? (
          <span className={styles.toggle} data-toggle aria-hidden>
            {row.isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </span>
        ) : (
          <span className={styles.toggle} />
        )}
        {row.depth > maxIndents && (
          <span className={styles.depth} title={`${row.depth} levels deep`}>
            {row.depth}
          </span>
        )}
        <KindIcon kind={node.span.kind} />
        <span className={styles.name} title={name}>
          <Highlighted text={name} searchText={needle} />
        </span>
        {selfMs !== undefined && (
          <span
            className={styles.onPath}
            title={`On the critical path; self time ${formatDuration(selfMs)}`}
          >
            <IconRoute size={13} role="img" aria-label="On the critical path:" />
            {formatDuration(selfMs)}
          </span>
        )}
        {count > 1 && <span className={styles.count}>×{formatCount(count)}</span>}
        {row.is === 'span' && <AnomalyMark node={node} isComplete={isComplete} />}
        {row.is === 'span' && <NotCountedMark node={node} isOuterCall={props.isOuterCall} />}
        {isError && (
          <IconAlertTriangle className={styles.bad} size={14} role="img" aria-label="Error" />
        )}
        {errorsHidden > 0 && (
          <span className={styles.hiddenErrors} title={countOf(errorsHidden, 'hidden error')}>
            <IconAlertTriangle size={13} role="img" aria-label="Hidden errors:" />
            {formatCount(errorsHidden)}
          </span>
        )}
      </div>
      <div className={styles.line} aria-hidden>
        <LineBar line={line} scale={scale} isOnPath={selfMs !== undefined} />
      </div>
      {props.sums !== undefined && <RowUsage row={row} tree={tree} sums={props.sums} />}
      <span className={styles.duration} title={line.isOpen ? 'No end reported' : undefined}>
        {formatDuration(durationMs)}
      </span>
    </div>
  )
})

interface LineBarProps {
  readonly line: RowLine
  readonly scale: TimeScale
  readonly isOnPath: boolean
}

function LineBar({ line, scale, isOnPath }: LineBarProps) {
  const bar = toBar(scale, line.startMs, line.endMs)
  if (bar === undefined) return null
  return (
    <div
      className={styles.bar}
      data-path={isOnPath || undefined}
      data-open={line.isOpen || undefined}
      style={{
        left: `${bar.leftPercent}%`,
        width: `max(2px, ${bar.widthPercent}%)`,
        background: line.isError ? 'var(--bad)' : kindColor(line.node.span.kind),
      }}
    />
  )
}

interface NotCountedProps {
  readonly node: SpanNode
  readonly isOuterCall: boolean
}

function NotCountedMark({ node, isOuterCall }: NotCountedProps) {
  const isRepeated = node.span.repeats_span_id !== null
  if (!isRepeated && !isOuterCall) return null
  return (
    <span className={styles.repeated} title={isRepeated ? repeatedTitle : outerTitle}>
      <IconCalculatorOff size={14} role="img" aria-label="Not counted" />
    </span>
  )
}

interface AnomalyProps {
  readonly node: SpanNode
  readonly isComplete: boolean
}

function AnomalyMark({ node, isComplete }: AnomalyProps) {
  if (node.anomaly === 'cycle') {
    return (
      <span
        className={styles.warning}
        title="Parent cycle: the spans refer to each other as parents. One link is left out here."
      >
        <IconRefreshAlert size={14} role="img" aria-label="Parent cycle" />
      </span>
    )
  }
  // The parent may be on a page that has not been loaded yet.
  if (node.anomaly !== 'orphan' || !isComplete) return null
  return (
    <span
      className={styles.warning}
      title={`Parent span ${node.span.parent_span_id} was never received.`}
    >
      <IconUnlink size={14} role="img" aria-label="Parent missing" />
    </span>
  )
}

/** The self time of a span on the path, or the sum over a group. */
function getSelfMs(row: TreeRow, { selfMs }: CriticalPath): number | undefined {
  if (row.is === 'span') return selfMs.get(row.at)
  const own = row.members.flatMap((at) => selfMs.get(at) ?? [])
  return own.length === 0 ? undefined : own.reduce((sum, ms) => sum + ms, 0)
}
