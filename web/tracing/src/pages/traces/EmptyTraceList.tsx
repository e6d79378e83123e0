import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Button } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NoMatches } from '../../page/NoMatches.tsx'
import { modeLabels, toModeParam } from '../../parts/trace-mode.ts'
import { hasFilters, type TraceSearch, withoutFilters } from '../../parts/trace-search.ts'
import { FirstRun } from './FirstRun.tsx'
import { toNameSearch } from './name-search.ts'
import { type HiddenTraceCount, useHiddenTraces } from './use-hidden-traces.ts'

interface Props {
  readonly projectId: string
  readonly search: TraceSearch
  readonly onChange: (next: TraceSearch) => void
  /** Continues a search that has not reached the end. */
  readonly searchFurther?: ReactNode
}

/** Why the list is empty, and what to do. */
export function EmptyTraceList({ projectId, search, onChange, searchFurther }: Props) {
  const hidden = useHiddenTraces(projectId, search)
  if (hidden === undefined) return null
  if (hidden !== null) return <HiddenTraces {...{ search, hidden, onChange, searchFurther }} />
  if (!hasFilters(search)) return <FirstRun projectId={projectId} />
  const onClear = () => onChange(withoutFilters(search))
  const byName = toNameSearch(search)
  const alternative = byName && {
    reason:
      'Words are searched in the names, status messages, inputs and outputs of spans, not in the name of a trace.',
    action: <Button onClick={() => onChange(byName)}>Search names instead</Button>,
  }
  return <NoMatches noun="traces" {...{ onClear, searchFurther, alternative }} />
}

interface HiddenProps extends Omit<Props, 'projectId'> {
  readonly hidden: HiddenTraceCount
}

/** All traces are of the other mode. */
function HiddenTraces({ search, hidden, onChange, searchFurther }: HiddenProps) {
  const { mode, total } = hidden
  const label = modeLabels[mode]
  return (
    <EmptyState
      icon={<IconEyeOff size={20} stroke={1.75} />}
      title={`No ${mode === 'live' ? 'simulated' : 'live'} traces${hasFilters(search) ? ' match these filters' : ''}`}
      actions={
        <>
          {searchFurther}
          <Button onClick={() => onChange(omitUndefined({ ...search, mode: toModeParam(mode) }))}>
            Show {label} traces
          </Button>
        </>
      }
    >
      {total === null
        ? `There are ${label} traces that match. They are hidden.`
        : `${countOf(total, `${label} trace`)} ${total === 1 ? 'is' : 'are'} hidden.`}
      {mode === 'simulation' && ' Calls of judges are recorded as simulated traces.'}
    </EmptyState>
  )
}
