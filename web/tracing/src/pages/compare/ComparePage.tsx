import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { type SearchChange, updateSearch } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button, Progress, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useCallback } from 'react'
import { CompareHead } from './CompareHead.tsx'
import styles from './compare.module.css'
import type { CompareSearch } from './compare-search.ts'
import { ScoresView } from './ScoresView.tsx'
import { SpansView } from './SpansView.tsx'
import { useWholeTrace, type WholeTrace } from './use-whole-trace.ts'

const route = getRouteApi('/signed-in/p/$projectId/compare')

/** The differences between two traces, and between their scores. */
export function ComparePage() {
  const { projectId } = route.useParams()
  const { a, b } = usePageSearch(route)
  useTitle('Compare traces')
  if (a === undefined || b === undefined) {
    return (
      <Problem isPage title="Select two traces" actions={<BackLink projectId={projectId} />}>
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
        isPage
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
  const { view = 'spans', only, row, evaluator } = usePageSearch(route)
  const navigate = route.useNavigate()
  const change = useCallback(
    (next: (before: CompareSearch) => SearchChange<CompareSearch>) =>
      void navigate({
        search: (before) => updateSearch(before, next(before)),
        replace: true,
      }),
    [navigate],
  )
  const toggleRow = useCallback(
    (id: string) => change((before) => ({ row: before.row === id ? undefined : id })),
    [change],
  )
  return (
    <div className={styles.page}>
      <CompareHead
        a={a}
        b={b}
        onSwap={() => change((before) => ({ a: before.b, b: before.a, row: undefined }))}
      />
      <Tabs
        value={view}
        onChange={(next) => change(() => ({ view: next === 'scores' ? next : undefined }))}
        keepMounted={false}
        className={styles.tabs}
      >
        <Tabs.List aria-label="Comparisons">
          <Tabs.Tab value="spans">Spans</Tabs.Tab>
          <Tabs.Tab value="scores">Scores</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="spans" className={styles.panel}>
          <SpansView
            projectId={projectId}
            a={a}
            b={b}
            isDifferencesOnly={only === '1'}
            onDifferencesOnly={(next) => change(() => ({ only: next ? '1' : undefined }))}
            open={row}
            onToggle={toggleRow}
          >
            {children}
          </SpansView>
        </Tabs.Panel>
        <Tabs.Panel value="scores" className={styles.panel}>
          <ScoresView
            a={a.trace}
            b={b.trace}
            open={evaluator}
            onToggle={(id) =>
              change((before) => ({ evaluator: before.evaluator === id ? undefined : id }))
            }
          />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}
