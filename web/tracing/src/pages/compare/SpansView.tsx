import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Button, Switch } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { CompareTable } from './CompareTable.tsx'
import styles from './compare.module.css'
import { DifferenceSummary } from './DifferenceSummary.tsx'
import { onlyDifferent } from './differences.ts'
import { OutputDifference } from './OutputDifference.tsx'
import { type Outputs, useComparison } from './use-comparison.ts'
import type { WholeTrace } from './use-whole-trace.ts'

interface Props {
  readonly projectId: string
  readonly a: WholeTrace
  readonly b: WholeTrace
  readonly isDifferencesOnly: boolean
  readonly onDifferencesOnly: (isDifferencesOnly: boolean) => void
  /** The id of the open row. */
  readonly open: string | undefined
  readonly onToggle: (id: string) => void
  readonly children: ReactNode
}

/** A structural diff of the spans of both traces. */
export function SpansView(props: Props) {
  const { projectId, a, b, isDifferencesOnly, onDifferencesOnly, open, onToggle, children } = props
  const { spans, outputs } = useComparison(projectId, a, b)
  const isComplete = a.isComplete && b.isComplete
  const isOutputCompared = outputs.state === 'compared'
  const shown = useMemo(
    () => (isDifferencesOnly ? onlyDifferent(spans) : spans),
    [isDifferencesOnly, spans],
  )
  return (
    <>
      <div className={styles.bar}>
        <DifferenceSummary spans={spans} isComplete={isComplete && isOutputCompared} />
        <OutputState {...outputs} />
        <Switch
          size="xs"
          label="Differences only"
          checked={isDifferencesOnly}
          onChange={(event) => onDifferencesOnly(event.currentTarget.checked)}
        />
      </div>
      {children}
      <CompareTable
        spans={shown}
        isOpen={({ id }) => id === open}
        onToggle={onToggle}
        renderDetails={(span) => (
          <OutputDifference traces={[a.trace, b.trace]} spans={[span.a, span.b]} />
        )}
        empty={
          isDifferencesOnly && isComplete && <NoDifferences isOutputCompared={isOutputCompared} />
        }
      />
    </>
  )
}

function OutputState({ state, compare }: Outputs) {
  if (state === 'compared') return null
  if (state === 'reading') return <span role="status">Comparing outputs…</span>
  return (
    <Button
      variant="default"
      size="compact-xs"
      title="Loads the outputs of all spans in both traces"
      onClick={compare}
    >
      {state === 'failed' ? 'Could not load outputs. Retry' : 'Compare all outputs'}
    </Button>
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
