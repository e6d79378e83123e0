import { omitUndefined, type SearchChange } from '@assay/account/routes/search-params.ts'
import { evaluatorCategories } from '@assay/contract/evaluators.ts'
import { Button, NativeSelect, Switch } from '@mantine/core'
import { TextFilter } from '../../filter/TextFilter.tsx'
import { categoryLabels } from './evaluator-labels.ts'
import { type EvaluatorSearch, evaluatorSearch, hasFilters } from './evaluator-search.ts'
import styles from './evaluators.module.css'

interface Props {
  readonly search: EvaluatorSearch
  readonly onSearch: (next: EvaluatorSearch) => void
}

/** The filters of the catalogue. */
export function EvaluatorFilters({ search, onSearch }: Props) {
  const set = (change: SearchChange<Readonly<Record<keyof EvaluatorSearch, string>>>) =>
    onSearch(evaluatorSearch.parse(omitUndefined({ ...search, open: undefined, ...change })))
  return (
    <div className={styles.filters} role="search" aria-label="Filter the evaluators">
      <TextFilter
        label="Search evaluators"
        type="search"
        className={styles.search ?? ''}
        value={search.q}
        onChange={(q) => set({ q })}
      />
      <NativeSelect
        size="xs"
        aria-label="Category"
        value={search.category ?? ''}
        onChange={(event) => set({ category: event.currentTarget.value })}
        data={[
          { value: '', label: 'All categories' },
          ...evaluatorCategories.map((value) => ({ value, label: categoryLabels[value] })),
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label="Source"
        value={search.source ?? ''}
        onChange={(event) => set({ source: event.currentTarget.value })}
        data={[
          { value: '', label: 'Built-in and custom' },
          { value: 'built-in', label: 'Built in' },
          { value: 'own', label: 'Custom' },
        ]}
      />
      <Switch
        size="xs"
        label="Needs no model"
        checked={search.offline !== undefined}
        onChange={(event) => set({ offline: event.currentTarget.checked ? '1' : undefined })}
      />
      {hasFilters(search) && (
        <Button variant="subtle" onClick={() => onSearch({})}>
          Clear filters
        </Button>
      )}
    </div>
  )
}
