import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Button, TextInput } from '@mantine/core'
import { IconSearch, IconUserQuestion } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { accountsQuery } from '../../api/platform.ts'
import { useDebouncedInput } from '../../filter/use-debounced-input.ts'
import { MoreButton } from '../../page/MoreButton.tsx'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { PeopleTable } from './PeopleTable.tsx'
import own from './platform.module.css'

const route = getRouteApi('/signed-in/platform/people')

/** Everybody who has an account, whatever their organization. */
export function PeoplePage() {
  const searchText = route.useSearch().q ?? ''
  const navigate = route.useNavigate()
  const change = (q: string) => void navigate({ search: q === '' ? {} : { q }, replace: true })
  const typed = useDebouncedInput(searchText, change)
  const list = useInfiniteQuery({ ...accountsQuery(searchText), placeholderData: keepPreviousData })
  const people = list.data?.pages.flatMap(({ accounts }) => accounts) ?? []
  return (
    <div className={styles.page}>
      <PageHead
        title="People"
        lead="Everybody who has an account. Who is disabled is signed out everywhere and cannot come back until enabled again."
      />
      <TextInput
        className={own.search}
        size="xs"
        aria-label="Search by name or address"
        placeholder="Search by name or address"
        leftSection={<IconSearch size={14} />}
        value={typed.text}
        onChange={(event) => typed.type(event.currentTarget.value)}
        onBlur={typed.flush}
      />
      {list.isPending ? (
        <TableSkeleton rows={5} rowHeightPx={52} />
      ) : list.isError && people.length === 0 ? (
        <RequestProblem error={list.error} onRetry={() => void list.refetch()} />
      ) : people.length === 0 ? (
        <EmptyState
          icon={<IconUserQuestion size={20} stroke={1.75} />}
          title="Nobody matches"
          actions={
            <Button variant="default" onClick={() => change('')}>
              Clear the search
            </Button>
          }
        >
          No name and no address holds “{searchText}”.
        </EmptyState>
      ) : (
        <>
          <p className={styles.count} role="status">
            {countOf(people.length, 'person', 'people')}
            {list.hasNextPage && ' loaded, more below'}
          </p>
          <PeopleTable people={people} />
          <MoreButton list={list} />
        </>
      )}
    </div>
  )
}
