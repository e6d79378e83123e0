import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Button } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { modeLabels, toModeParam } from '../../parts/trace-mode.ts'
import { hasFilters, type TraceSearch } from '../../parts/trace-search.ts'
import { omitUndefined } from '../../search-params.ts'
import type { HiddenTraceCount } from './use-hidden-traces.ts'

interface Props {
  readonly search: TraceSearch
  readonly hidden: HiddenTraceCount
  readonly onChange: (next: TraceSearch) => void
  /** Continues a search that has not reached the end. */
  readonly searchFurther?: ReactNode
}

/** The empty state of a list whose traces are all of the other mode. */
export function HiddenTraces({ search, hidden, onChange, searchFurther }: Props) {
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
