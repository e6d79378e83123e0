import type { ListedSpan } from '@assay/contract/traces.ts'
import { KindIcon } from '@assay/ui/KindIcon.tsx'
import { formatCost, formatTokens } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import {
  IconAlertTriangle,
  IconChevronDown,
  IconChevronRight,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react'
import { memo } from 'react'
import styles from './compare.module.css'
import { formatDifference } from './compare-rows.ts'
import { Delta } from './Delta.tsx'
import { type Difference, isDifferent } from './differences.ts'
import type { Comparison } from './use-comparison.ts'

interface Props {
  readonly at: number
  readonly rowIndex: number
  readonly comparison: Comparison
  readonly isOpen: boolean
  readonly isClosed: boolean
  readonly onFold: (at: number) => void
  readonly onOpen: (at: number) => void
}

const indentPx = 14
const maxIndents = 10

/** A span of either or both traces, with its metrics side by side. */
export const CompareRow = memo(function CompareRow(props: Props) {
  const { at, rowIndex, comparison, isOpen, isClosed, onFold, onOpen } = props
  const row = comparison.aligned[at]
  const difference = comparison.differences[at]
  if (row === undefined || difference === undefined) return null
  const a = comparison.a.nodes[row.a]?.span
  const b = comparison.b.nodes[row.b]?.span
  const span = a ?? b
  if (span === undefined) return null
  const canFold = comparison.aligned[at + 1]?.parent === at
  return (
    <tr
      aria-rowindex={rowIndex}
      aria-expanded={isOpen}
      className={styles.row}
      data-presence={difference.presence}
      data-same={!isDifferent(difference) || undefined}
      data-open={isOpen || undefined}
    >
      <th scope="row">
        <div
          className={styles.label}
          style={{ paddingLeft: Math.min(row.depth, maxIndents) * indentPx }}
        >
          {canFold ? (
            <button
              type="button"
              className={styles.fold}
              aria-expanded={!isClosed}
              aria-label={`Children of ${span.name}`}
              onClick={() => onFold(at)}
            >
              {isClosed ? <IconChevronRight size={14} /> : <IconChevronDown size={14} />}
            </button>
          ) : (
            <span className={styles.fold} />
          )}
          <PresenceIcon presence={difference.presence} />
          <KindIcon kind={span.kind} sizePx={15} />
          <button
            type="button"
            className={styles.open}
            title={`${span.name}: compare outputs`}
            onClick={() => onOpen(at)}
          >
            {span.name}
            {difference.isRenamed && b !== undefined && ` → ${b.name}`}
          </button>
        </div>
      </th>
      <td className={styles.words}>
        {formatDifference(difference).join(', ')}
        <Status a={a} b={b} />
      </td>
      <SpanMetrics a={a} b={b} difference={difference} />
    </tr>
  )
})

interface SpanMetricsProps {
  readonly a: ListedSpan | undefined
  readonly b: ListedSpan | undefined
  readonly difference: Difference
}

function SpanMetrics({ a, b, difference }: SpanMetricsProps) {
  const isBoth = a !== undefined && b !== undefined
  return (
    <>
      <Pair
        label="Duration"
        a={a && formatDuration(a.latency_ms)}
        b={b && formatDuration(b.latency_ms)}
      />
      <td>
        {isBoth && difference.duration && (
          <Delta a={a.latency_ms} b={b.latency_ms} format={formatDuration} isShort />
        )}
      </td>
      <Pair
        label="Tokens"
        a={tokensText(a)}
        b={tokensText(b)}
        titleOf={[tokensInFull(a), tokensInFull(b)]}
      />
      <td>
        {isBoth && difference.tokens && (
          <Delta a={tokensOf(a)} b={tokensOf(b)} format={formatTokens} isShort />
        )}
      </td>
      <Pair label="Cost" a={a && costText(a)} b={b && costText(b)} />
      <td>
        {isBoth && difference.cost && (
          <Delta a={a.cost_usd} b={b.cost_usd} format={formatCost} isShort />
        )}
      </td>
    </>
  )
}

interface PairProps {
  readonly label: string
  readonly a: string | undefined
  readonly b: string | undefined
  readonly titleOf?: readonly [string | undefined, string | undefined]
}

/** The values of both sides, with labels for the narrow layout without columns. */
function Pair({ label, a, b, titleOf = [undefined, undefined] }: PairProps) {
  const isOne = a === undefined || a === ''
  return (
    <>
      <td data-label={label} title={titleOf[0]}>
        {a}
      </td>
      <td data-label={isOne ? label : '→'} title={titleOf[1]}>
        {b}
      </td>
    </>
  )
}

function PresenceIcon({ presence }: { readonly presence: 'both' | 'only-a' | 'only-b' }) {
  if (presence === 'both') return <span className={styles.presence} />
  const Icon = presence === 'only-a' ? IconMinus : IconPlus
  return (
    <span className={styles.presence}>
      <Icon
        size={13}
        role="img"
        aria-label={presence === 'only-a' ? 'Missing in B' : 'Added in B'}
      />
    </span>
  )
}

interface StatusProps {
  readonly a: ListedSpan | undefined
  readonly b: ListedSpan | undefined
}

function Status({ a, b }: StatusProps) {
  const failed = [...(a?.status === 'ERROR' ? ['A'] : []), ...(b?.status === 'ERROR' ? ['B'] : [])]
  if (failed.length === 0) return null
  return (
    <>
      {' '}
      <span className={styles.failed}>
        <IconAlertTriangle size={13} aria-hidden />{' '}
        {a === undefined || b === undefined ? 'error' : `error in ${failed.join(' and ')}`}
      </span>
    </>
  )
}

function tokensOf({ tokens_in, tokens_out }: ListedSpan): number | null {
  return tokens_in === null && tokens_out === null ? null : (tokens_in ?? 0) + (tokens_out ?? 0)
}

function tokensText(span: ListedSpan | undefined): string {
  const sum = span === undefined ? null : tokensOf(span)
  return sum === null ? '' : formatTokens(sum)
}

function tokensInFull(span: ListedSpan | undefined): string | undefined {
  if (span === undefined || tokensOf(span) === null) return undefined
  return `${formatTokens(span.tokens_in)} input, ${formatTokens(span.tokens_out)} output`
}

/** Empty for spans other than model calls; a dash for model calls without a price. */
function costText({ cost_usd, model }: ListedSpan): string {
  return cost_usd === null && model === null ? '' : formatCost(cost_usd)
}
