import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { IconCalendarExclamation } from '@tabler/icons-react'

/** Replaces the data of a time range that ends before it starts. */
export function BackwardRange() {
  return (
    <EmptyState
      icon={<IconCalendarExclamation size={20} stroke={1.75} />}
      title="Invalid time range"
    >
      The start must be before the end.
    </EmptyState>
  )
}
