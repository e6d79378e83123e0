import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import type { ListedSpan, Trace } from '@assay/contract/traces.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { spanQuery } from '../../api/traces.ts'
import styles from './compare.module.css'
import { formatOutputs } from './format-output.ts'
import { type TextLine, textDifference } from './text-difference.ts'

interface Props {
  readonly traces: readonly [a: Trace, b: Trace]
  /** Undefined if the trace does not have the span. */
  readonly spans: readonly [a: ListedSpan | undefined, b: ListedSpan | undefined]
}

/** A text diff of the outputs of both sides, fetched when the row is opened. */
export function OutputDifference({ traces, spans }: Props) {
  const sides = traces.map(({ project_id, trace_id }, at) => {
    return { project_id, trace_id, span_id: spans[at]?.span_id }
  })
  const outputs = useQueries({
    queries: sides.map(({ project_id, trace_id, span_id }) => ({
      ...spanQuery(project_id, trace_id, span_id ?? ''),
      enabled: span_id !== undefined,
    })),
  })
  const failed = outputs.find(({ isError }) => isError)
  if (failed?.error) {
    return <RequestProblem error={failed.error} onRetry={() => void failed.refetch()} />
  }
  if (outputs.some(({ isLoading }) => isLoading)) return <TableSkeleton rows={3} />
  return (
    <div className={styles.outputs}>
      <p className={styles.links}>
        {sides.map(({ project_id: projectId, trace_id: traceId, span_id: span }, at) => {
          const side = at === 0 ? 'A' : 'B'
          return span === undefined ? (
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
          )
        })}
      </p>
      <Lines a={outputs[0]?.data?.output} b={outputs[1]?.data?.output} />
    </div>
  )
}

const initialLines = 400

function Lines(outputs: { readonly a: unknown; readonly b: unknown }) {
  const [maxLines, setMaxLines] = useState(initialLines)
  const [a, b] = useMemo(() => formatOutputs(outputs.a, outputs.b), [outputs.a, outputs.b])
  const { lines, isCut } = useMemo(() => textDifference(a, b), [a, b])
  if (a === '' && b === '') return <p className={styles.note}>Neither span has an output.</p>
  return (
    <>
      {a === b && <p className={styles.note}>The outputs are identical.</p>}
      {isCut && (
        <p className={styles.note}>
          These outputs are too long to compare in full. Only the beginning is shown.
        </p>
      )}
      <div className={styles.lines}>
        {lines.slice(0, maxLines).map((line, at) => (
          // Lines have no IDs and are never reordered.
          <LineView key={at} line={line} />
        ))}
      </div>
      {maxLines < lines.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setMaxLines(maxLines + 2000)}>
          Show more of {countOf(lines.length, 'line')}
        </Button>
      )}
    </>
  )
}

const signs = { same: ' ', removed: '−', added: '+' } as const
const sideLabels = { same: '', removed: 'Only in A: ', added: 'Only in B: ' } as const

function LineView({ line: { is, pieces } }: { readonly line: TextLine }) {
  return (
    <div className={styles.textLine} data-is={is}>
      <span aria-hidden>{signs[is]}</span>
      <span>
        <span className="visually-hidden">{sideLabels[is]}</span>
        {pieces.map((piece, at) =>
          piece.is === 'same' || pieces.length === 1 ? (
            piece.text
          ) : (
            // Pieces have no IDs and are never reordered.
            <mark key={at}>{piece.text}</mark>
          ),
        )}
      </span>
    </div>
  )
}
