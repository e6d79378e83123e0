import type { ListedSpan } from '@assay/contract/traces.ts'
import { KindIcon } from '@assay/ui/KindIcon.tsx'
import { formatCost, formatTokens } from '@assay/ui/number-format.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { IconAlertTriangle, IconMinus, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import styles from './compare.module.css'
import { Delta } from './Delta.tsx'
import type { ComparedSpan, Difference } from './differences.ts'

interface Props {
  readonly spans: readonly ComparedSpan[]
  readonly isOpen: (span: ComparedSpan) => boolean
  readonly onToggle: (id: string) => void
  readonly renderDetails: (span: ComparedSpan) => ReactNode
  readonly empty: ReactNode
}

/** The aligned spans as one tree, with the metrics of both sides. */
export function CompareTable({ spans, isOpen, onToggle, renderDetails, empty }: Props) {
  const columns = useMemo(() => [spanColumn(onToggle), ...otherColumns], [onToggle])
  return (
    <DataTable
      caption="Spans of both traces"
      rows={spans}
      columns={columns}
      rowKey={rowKey}
      rowName={getName}
      rowClass={rowClass}
      depthOf={depthOf}
      details={{ isOpen, render: renderDetails }}
      empty={empty}
      isFilling
      isRowClickable
      rowHeightPx={33}
    />
  )
}

const rowKey = ({ id }: ComparedSpan) => id
const depthOf = ({ depth }: ComparedSpan) => depth
const getName = ({ a, b }: ComparedSpan) => (a ?? b)?.name ?? ''

function rowClass({ differences: [first] }: ComparedSpan): string {
  if (first === undefined) return `${styles.dense} ${styles.same}`
  if (first === 'missing') return `${styles.dense} ${styles.onlyInA}`
  return first === 'added' ? `${styles.dense} ${styles.onlyInB}` : `${styles.dense}`
}

function spanColumn(onToggle: (id: string) => void): Column<ComparedSpan> {
  return {
    key: 'span',
    header: 'Span',
    width: `max(180px, 100cqw - ${otherColumnsWidthPx}px)`,
    cell: (span) => (
      <>
        <PresenceIcon {...span} />
        <KindIcon kind={(span.a ?? span.b)?.kind ?? ''} sizePx={15} />
        <button
          type="button"
          className={styles.open}
          title={`${getName(span)}: compare outputs`}
          onClick={() => onToggle(span.id)}
        >
          {getName(span)}
          {span.differences.includes('renamed') && ` → ${span.b?.name}`}
        </button>
      </>
    ),
  }
}

const otherColumns: readonly Column<ComparedSpan>[] = [
  {
    key: 'difference',
    header: 'Difference',
    width: 190,
    narrow: 'bare',
    cell: DifferenceCell,
  },
  metricColumn({
    header: 'Duration',
    width: 292,
    shownFor: ['slower', 'faster'],
    valueOf: ({ latency_ms }) => latency_ms,
    format: (ms) => formatDuration(ms ?? null),
  }),
  metricColumn({
    header: 'Tokens',
    width: 184,
    shownFor: ['tokens'],
    valueOf: sumTokens,
    format: formatTokens,
    titleOf: ({ tokens_in, tokens_out }) =>
      `${formatTokens(tokens_in)} input, ${formatTokens(tokens_out)} output`,
  }),
  metricColumn({
    header: 'Cost',
    width: 256,
    shownFor: ['costlier', 'cheaper', 'unpriced'],
    // A span without a model has no cost; a model call may lack its price.
    valueOf: ({ cost_usd, model }) => (model === null ? (cost_usd ?? undefined) : cost_usd),
    format: formatCost,
  }),
]

const otherColumnsWidthPx = otherColumns.reduce((sum, { width }) => sum + Number(width), 0)

/** Not in it: changes shown in their own columns, and the status, which the mark of the failed side shows. */
const labels: Readonly<Partial<Record<Difference, string>>> = {
  missing: 'only in A',
  added: 'only in B',
  output: 'output',
  renamed: 'name',
}

function sumTokens({ tokens_in, tokens_out }: ListedSpan): number | undefined {
  return tokens_in === null && tokens_out === null
    ? undefined
    : (tokens_in ?? 0) + (tokens_out ?? 0)
}

interface Metric {
  readonly header: string
  readonly width: number
  /** The differences with a change to show. */
  readonly shownFor: readonly Difference[]
  /** Null if unknown, undefined if the span does not have the metric. */
  readonly valueOf: (span: ListedSpan) => number | null | undefined
  readonly format: (value: number | null) => string
  readonly titleOf?: (span: ListedSpan) => string
}

/** The values of both sides, and the change. */
function metricColumn({ header, width, ...metric }: Metric): Column<ComparedSpan> {
  const { shownFor, valueOf, format, titleOf } = metric
  return {
    key: header,
    header,
    hint: 'A → B, and the change',
    width,
    align: 'end',
    cell({ a, b, differences }) {
      const one = a && valueOf(a)
      const other = b && valueOf(b)
      if (one === undefined && other === undefined) return null
      return (
        <span className={styles.metric}>
          <span title={a && titleOf?.(a)}>{one !== undefined && format(one)}</span>
          <span>{one !== undefined && other !== undefined && '→'}</span>
          <span title={b && titleOf?.(b)}>{other !== undefined && format(other)}</span>
          {differences.some((difference) => shownFor.includes(difference)) && (
            <Delta a={one ?? null} b={other ?? null} format={format} isShort />
          )}
        </span>
      )
    },
  }
}

function PresenceIcon({ differences: [first] }: ComparedSpan) {
  if (first !== 'missing' && first !== 'added') return null
  const Icon = first === 'missing' ? IconMinus : IconPlus
  const label = first === 'missing' ? 'Missing in B' : 'Added in B'
  return <Icon size={13} className={styles.icon} role="img" aria-label={label} />
}

function DifferenceCell({ a, b, differences }: ComparedSpan) {
  const words = differences.flatMap((difference) => labels[difference] ?? []).join(', ')
  const failed = [a?.status === 'ERROR' && 'A', b?.status === 'ERROR' && 'B'].filter(Boolean)
  if (failed.length === 0) return words
  return (
    <>
      {words}{' '}
      <span className={styles.failed}>
        <IconAlertTriangle size={13} aria-hidden /> error
        {a !== undefined && b !== undefined && ` in ${failed.join(' and ')}`}
      </span>
    </>
  )
}
