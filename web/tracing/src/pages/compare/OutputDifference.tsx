import type { Span } from '@assay/contract/traces.ts'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { spanQuery } from '../../api/traces.ts'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import styles from './compare.module.css'
import { type TextLine, textDifference } from './text-difference.ts'

interface Props {
  readonly projectId: string
  readonly traceA: string
  readonly traceB: string
  /** Undefined if the trace does not have the span. */
  readonly spanA: string | undefined
  readonly spanB: string | undefined
}

/** A text diff of the outputs of both sides, fetched when the row is opened. */
export function OutputDifference({ projectId, traceA, traceB, spanA, spanB }: Props) {
  const a = useQuery({
    ...spanQuery(projectId, traceA, spanA ?? ''),
    enabled: spanA !== undefined,
  })
  const b = useQuery({
    ...spanQuery(projectId, traceB, spanB ?? ''),
    enabled: spanB !== undefined,
  })
  const failed = a.isError ? a : b.isError ? b : undefined
  if (failed !== undefined && failed.error !== null) {
    return <RequestProblem error={failed.error} onRetry={() => void failed.refetch()} />
  }
  const isWaiting =
    (spanA !== undefined && a.data === undefined) || (spanB !== undefined && b.data === undefined)
  if (isWaiting) return <TableSkeleton rows={3} />
  return (
    <div className={styles.outputs}>
      <p className={styles.links}>
        {[
          { side: 'A', traceId: traceA, span: spanA },
          { side: 'B', traceId: traceB, span: spanB },
        ].map(({ side, traceId, span }) =>
          span === undefined ? (
            <span key={side} className="dimmed">
              Not in {side}
            </span>
          ) : (
            <Link
              key={side}
              to="/p/$projectId/traces/$traceId"
              params={{ projectId, traceId }}
              search={{ span }}
            >
              Open in {side}
            </Link>
          ),
        )}
      </p>
      <Lines a={a.data} b={b.data} />
    </div>
  )
}

const initialLines = 400

function Lines({ a, b }: { readonly a: Span | undefined; readonly b: Span | undefined }) {
  const [most, setMost] = useState(initialLines)
  const { lines, isCut } = useMemo(
    () => textDifference(textOf(a?.output), textOf(b?.output)),
    [a, b],
  )
  const isSame = lines.every(({ is }) => is === 'same')
  if (lines.length === 1 && lines[0]?.pieces[0]?.text === '') {
    return <p className={styles.note}>Neither span has an output.</p>
  }
  return (
    <>
      {isSame && <p className={styles.note}>The outputs are identical.</p>}
      {isCut && (
        <p className={styles.note}>
          These outputs are too long to compare in full. Only the beginning is shown.
        </p>
      )}
      <div className={styles.lines}>
        {lines.slice(0, most).map((line, at) => (
          // Lines have no IDs and are never reordered.
          <LineView key={at} line={line} />
        ))}
      </div>
      {most < lines.length && (
        <button type="button" className={styles.more} onClick={() => setMost(most + 2000)}>
          Show more of {lines.length.toLocaleString('en-US')} lines
        </button>
      )}
    </>
  )
}

const signs = { same: ' ', removed: '−', added: '+' } as const
const words = { same: '', removed: 'Only in A: ', added: 'Only in B: ' } as const

function LineView({ line: { is, pieces } }: { readonly line: TextLine }) {
  return (
    <div className={styles.textLine} data-is={is}>
      <span className={styles.sign} aria-hidden>
        {signs[is]}
      </span>
      <span>
        {is !== 'same' && <span className="visually-hidden">{words[is]}</span>}
        {pieces.map((piece, at) =>
          piece.is === 'same' || pieces.length === 1 ? (
            piece.text
          ) : (
            // Pieces have no IDs and are never reordered.
            <mark key={at} className={styles.piece}>
              {piece.text}
            </mark>
          ),
        )}
      </span>
    </div>
  )
}

function textOf(output: unknown): string {
  if (output === null || output === undefined) return ''
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2)
}
