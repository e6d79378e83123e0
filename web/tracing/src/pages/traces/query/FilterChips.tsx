import { TextButton } from '@assay/ui/TextButton.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import { Chips } from '../../../filter/Chips.tsx'
import { chipText, listBoxTerms, without } from '../../../parts/filter-terms.ts'
import type { TraceSearch } from '../../../parts/trace-search.ts'
import { printTerm } from './query-text.ts'

interface Props {
  readonly search: TraceSearch
  readonly onChange: (next: TraceSearch) => void
  readonly onClear: () => void
}

export function FilterChips({ search, onChange, onClear }: Props) {
  const nowMs = useNow(60_000)
  const terms = listBoxTerms(search)
  const filters = terms.map((term) => ({
    key: printTerm(term),
    text: chipText(term, nowMs),
    title: printTerm(term),
    onRemove: () => onChange(without(search, term)),
  }))
  return (
    <Chips filters={filters}>
      <TextButton onClick={onClear}>Clear all</TextButton>
    </Chips>
  )
}
