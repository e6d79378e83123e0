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
}

/** The empty state of a filtered list. */
export function NoMatches({ noun, onClear, searchFurther = false }: Props) {
  return (
    <EmptyState
      icon={<IconFilterOff size={20} stroke={1.75} />}
      title={`No ${noun} match these filters${searchFurther === false ? '' : ' so far'}`}
      actions={
        <>
          {searchFurther}
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        </>
      }
    >
      Change or clear the filters.
    </EmptyState>
  )
}
