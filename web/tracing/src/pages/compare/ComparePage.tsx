import { Problem } from '@assay/ui/Problem.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button, Progress } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { usePageSearch } from '../../page/use-page-search.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { type SearchChange, updateSearch } from '../../search-params.ts'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useTitle } from '../../shell/use-title.ts'
import { CompareHead } from './CompareHead.tsx'
import { CompareTable } from './CompareTable.tsx'
import styles from './compare.module.css'
import { type CompareSearch } from './compare-search.ts'
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
      <Problem
        title="Select two traces"
        actions={
          <LinkButton to="/p/$projectId/traces" params={{ projectId }} variant="default">
            Back to traces
          </LinkButton>
        }
      >
        Select two traces in the list, or open a trace and choose “Compare with…”.
      </Problem>
    )
  }
  return <Comparison key={`${a} ${b}`} projectId={projectId} a={a} b={b} />
}

interface Props {
  readonly projectId: string
  readonly a: string
  readonly b: string
}

function Comparison({ projectId, a, b }: Props) {
  const one = useWholeTrace(projectId, a)
  const other = useWholeTrace(projectId, b)
  const failed = [
    { side: 'A', id: a, ...one },
    { side: 'B', id: b, ...other },
  ].find(({ trace, error }) => trace === undefined && error !== null)
  if (failed?.error) {
    return (
      <>
        <p className={styles.missing}>
          Could not load trace {failed.side}: <code>{failed.id}</code>
        </p>
        <RequestProblem
          error={failed.error}
          onRetry={failed.retry}
          actions={
            <LinkButton to="/p/$projectId/traces" params={{ projectId }} variant="subtle">
              Back to traces
            </LinkButton>
          }
        />
      </>
    )
  }
  if (one.trace === undefined || other.trace === undefined) {
    return <TableSkeleton rows={12} rowHeightPx={30} />
  }
  return <Sides projectId={projectId} a={one} b={other} />
}

interface SidesProps {
  readonly projectId: string
  readonly a: WholeTrace
  readonly b: WholeTrace
}

function Sides({ projectId, a, b }: SidesProps) {
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const comparison = useComparison(projectId, a, b)
  function change(next: SearchChange<CompareSearch>): void {
    void navigate({ search: (before) => updateSearch(before, next), replace: true })
  }
  if (a.trace === undefined || b.trace === undefined) return null
  const isComplete = a.isComplete && b.isComplete
  const spanCount = a.trace.span_count + b.trace.span_count
  const loadedCount = a.loadedCount + b.loadedCount
  const broken = a.error === null ? b : a
  return (
    <div className={styles.page}>
      <CompareHead
        a={a.trace}
        b={b.trace}
        comparison={comparison}
        isOnly={search.only === '1'}
        onOnly={(isOnly) => change({ only: isOnly ? '1' : undefined })}
        onSwap={() => change({ a: search.b, b: search.a, row: undefined })}
      />
      {broken.error !== null ? (
        <div className={styles.line} role="alert">
          Loaded {loadedCount.toLocaleString('en-US')} of {spanCount.toLocaleString('en-US')} spans.{' '}
          {broken.error.message}
          <Button variant="default" size="compact-xs" onClick={broken.retry}>
            Retry
          </Button>
        </div>
      ) : (
        !isComplete && (
          <div className={styles.line} role="status">
            <Progress
              className={styles.progress}
              value={(loadedCount / Math.max(1, spanCount)) * 100}
              aria-label="Spans loaded"
            />
            {loadedCount.toLocaleString('en-US')} of {spanCount.toLocaleString('en-US')} spans
            loaded
          </div>
        )
      )}
      <CompareTable
        projectId={projectId}
        traceA={a.trace}
        traceB={b.trace}
        comparison={comparison}
        isComplete={isComplete}
        isOnly={search.only === '1'}
        openRow={search.row}
        onOpenRow={(row) => change({ row })}
      />
    </div>
  )
}
