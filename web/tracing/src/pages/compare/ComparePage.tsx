import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { formatCount } from '@assay/ui/number-format.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button, Progress } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo } from 'react'
import { usePageSearch } from '../../page/use-page-search.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { type SearchChange, updateSearch } from '../../search-params.ts'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useTitle } from '../../shell/use-title.ts'
import { CompareHead } from './CompareHead.tsx'
import { CompareTable } from './CompareTable.tsx'
import styles from './compare.module.css'
import type { CompareSearch } from './compare-search.ts'
import { onlyDifferent } from './differences.ts'
import { OutputDifference } from './OutputDifference.tsx'
import { useComparison } from './use-comparison.ts'
import { useWholeTrace, type WholeTrace } from './use-whole-trace.ts'

const route = getRouteApi('/signed-in/p/$projectId/compare')

/** A structural diff of two traces. */
export function ComparePage() {
  const { projectId } = route.useParams()
  const { a, b } = usePageSearch(route)
  useTitle('Compare traces')
  if (a === undefined || b === undefined) {
    return (
      <Problem title="Select two traces" actions={<BackLink projectId={projectId} />}>
        Select two traces in the list, or open a trace and choose “Compare with…”.
      </Problem>
    )
  }
  return <Traces key={`${a} ${b}`} projectId={projectId} a={a} b={b} />
}

function BackLink({ projectId }: { readonly projectId: string }) {
  return (
    <LinkButton to="/p/$projectId/traces" params={{ projectId }} variant="default">
      Back to traces
    </LinkButton>
  )
}

interface TracesProps {
  readonly projectId: string
  readonly a: string
  readonly b: string
}

function Traces({ projectId, a, b }: TracesProps) {
  const sideA = { side: 'A', id: a, ...useWholeTrace(projectId, a) }
  const sideB = { side: 'B', id: b, ...useWholeTrace(projectId, b) }
  const failed = [sideA, sideB].find(({ error }) => error !== null)
  if (sideA.loaded !== undefined && sideB.loaded !== undefined) {
    const [loadedA, loadedB] = [sideA.loaded, sideB.loaded]
    return (
      <Comparison projectId={projectId} a={loadedA} b={loadedB}>
        <LoadState a={loadedA} b={loadedB} error={failed?.error} onRetry={failed?.retry} />
      </Comparison>
    )
  }
  if (!failed?.error) return <TableSkeleton rows={12} rowHeightPx={30} />
  return (
    <>
      <p className={styles.missing}>
        Could not load trace {failed.side}: <code>{failed.id}</code>
      </p>
      <RequestProblem
        error={failed.error}
        onRetry={failed.retry}
        actions={<BackLink projectId={projectId} />}
      />
    </>
  )
}

interface LoadStateProps {
  readonly a: WholeTrace
  readonly b: WholeTrace
  readonly error: Error | null | undefined
  readonly onRetry: (() => void) | undefined
}

/** How many spans are loaded so far, or why no more can be loaded. */
function LoadState({ a, b, error, onRetry }: LoadStateProps) {
  if (a.isComplete && b.isComplete && !error) return null
  const loadedCount = a.loadedCount + b.loadedCount
  const spanCount = a.trace.span_count + b.trace.span_count
  return (
    <div className={styles.loading} role={error ? 'alert' : 'status'}>
      {!error && (
        <Progress
          className={styles.progress}
          value={(loadedCount / Math.max(1, spanCount)) * 100}
          aria-label="Spans loaded"
        />
      )}
      Loaded {formatCount(loadedCount)} of {countOf(spanCount, 'span')}. {error?.message}
      {error && (
        <Button variant="default" size="compact-xs" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}

interface ComparisonProps {
  readonly projectId: string
  readonly a: WholeTrace
  readonly b: WholeTrace
  readonly children: ReactNode
}

function Comparison({ projectId, a, b, children }: ComparisonProps) {
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const { spans, outputs } = useComparison(projectId, a, b)
  const isComplete = a.isComplete && b.isComplete
  const isOutputCompared = outputs.state === 'compared'
  const isDifferencesOnly = search.only === '1'
  const shown = useMemo(
    () => (isDifferencesOnly ? onlyDifferent(spans) : spans),
    [isDifferencesOnly, spans],
  )
  const change = useCallback(
    (next: (before: CompareSearch) => SearchChange<CompareSearch>) =>
      void navigate({
        search: (before) => updateSearch(before, next(before)),
        replace: true,
      }),
    [navigate],
  )
  const toggleRow = useCallback(
    (id: string) => change(({ row }) => ({ row: row === id ? undefined : id })),
    [change],
  )
  return (
    <div className={styles.page}>
      <CompareHead
        a={a}
        b={b}
        spans={spans}
        outputs={outputs}
        isComplete={isComplete && isOutputCompared}
        isDifferencesOnly={isDifferencesOnly}
        onDifferencesOnly={(next) => change(() => ({ only: next ? '1' : undefined }))}
        onSwap={() => change((before) => ({ a: before.b, b: before.a, row: undefined }))}
      />
      {children}
      <CompareTable
        spans={shown}
        isOpen={({ id }) => id === search.row}
        onToggle={toggleRow}
        renderDetails={(span) => (
          <OutputDifference traces={[a.trace, b.trace]} spans={[span.a, span.b]} />
        )}
        empty={
          isDifferencesOnly && isComplete && <NoDifferences isOutputCompared={isOutputCompared} />
        }
      />
    </div>
  )
}

function NoDifferences({ isOutputCompared }: { readonly isOutputCompared: boolean }) {
  return (
    <EmptyState
      icon={<IconEqual size={20} />}
      title={isOutputCompared ? 'No differences' : 'No differences so far'}
    >
      Both traces have the same spans with the same names, kinds, statuses, tokens and costs, and
      durations that differ by less than 25% or 20 ms.{' '}
      {isOutputCompared ? 'Their outputs are the same.' : 'Their outputs are not compared yet.'}
    </EmptyState>
  )
}
