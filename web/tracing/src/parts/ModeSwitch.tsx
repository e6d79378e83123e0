import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { SegmentedControl } from '@mantine/core'
import { type TraceMode, toModeParam } from './trace-mode.ts'

interface Props<Search> {
  readonly search: Search
  readonly onChange: (next: Search) => void
}

export function ModeSwitch<Search extends { readonly mode?: TraceMode }>({
  search,
  onChange,
}: Props<Search>) {
  return (
    <SegmentedControl
      aria-label="Mode"
      data={[
        { value: 'live', label: 'Live' },
        { value: 'simulation', label: 'Simulated' },
        { value: 'all', label: 'Both' },
      ]}
      value={search.mode ?? 'live'}
      onChange={(value) =>
        onChange(omitUndefined({ ...search, mode: toModeParam(value) }) as Search)
      }
    />
  )
}
