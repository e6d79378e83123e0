import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Props {
  /** The plural noun of the rows. */
  readonly noun: string
  readonly onClear: () => void
  /** Continues a search that has not reached the end. */
  readonly searchFurther?: ReactNode
  /** Another search, as a button, and why it may find more. */
  readonly alternative?: { readonly action: ReactNode; readonly reason: string } | undefined
}

/** The empty state of a filtered list. */
export function NoMatches({ noun, onClear, searchFurther = false, alternative }: Props) {
  return (
    <EmptyState
      icon={<IconFilterOff size={20} stroke={1.75} />}
      title={`No ${noun} match these filters${searchFurther === false ? '' : ' so far'}`}
      actions={
        <>
          {searchFurther}
          {alternative?.action}
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        </>
      }
    >
      {alternative?.reason} Change or clear the filters.
    </EmptyState>
  )
}
