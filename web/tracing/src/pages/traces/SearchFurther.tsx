import { TimeText } from '@assay/ui/TimeText.tsx'
import { Button } from '@mantine/core'
import { SearchProgress } from '../../page/SearchProgress.tsx'

interface Props {
  /** Traces that started before this time were not searched yet. */
  readonly backTo: string
  readonly isSearching: boolean
  readonly onSearch: () => void
}

/** The end of a list that the server has not searched to its end. */
export function SearchFurther({ backTo, isSearching, onSearch }: Props) {
  return (
    <SearchProgress>
      <span>
        Searched back to <TimeText at={backTo} />.
      </span>
      <Button variant="default" size="compact-sm" loading={isSearching} onClick={onSearch}>
        Search further
      </Button>
    </SearchProgress>
  )
}
