import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import type { TraceSearch } from '../../parts/trace-search.ts'

/** Links to the list of scored traces; nothing for rows without any. */
export function scoredTracesColumn<Row>(
  projectId: string,
  toSearch: (row: Row) => TraceSearch | undefined,
): Column<Row> {
  return {
    ...{ key: 'traces', header: 'Traces', narrow: 'bare' },
    cell: (row) => {
      const search = toSearch(row)
      if (search === undefined) return null
      return (
        <LinkButton
          to="/p/$projectId/traces"
          params={{ projectId }}
          search={search}
          variant="subtle"
          size="compact-xs"
        >
          Scored traces
        </LinkButton>
      )
    },
  }
}
