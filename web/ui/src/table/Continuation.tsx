import { Button } from '@mantine/core'
import styles from './table.module.css'
import type { TableQuery } from './table-model.ts'

type ContinuedQuery = Omit<TableQuery<unknown>, 'data' | 'isPending'>

/** Below a list: a button for its next page, or why that could not be loaded. */
export function Continuation({ query }: { readonly query: ContinuedQuery }) {
  const { error, hasNextPage = false, isFetchingNextPage = false, isFetchNextPageError } = query
  if (error === null && !hasNextPage) return null
  return (
    <div className={styles.more}>
      {error !== null && (
        <p role="alert" className={styles.failure}>
          {isFetchNextPageError === true ? 'Loading more failed' : 'Refreshing failed'}:{' '}
          {error.message}
        </p>
      )}
      {hasNextPage ? (
        <Button
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void query.fetchNextPage?.()}
        >
          Load more
        </Button>
      ) : (
        <Button variant="default" onClick={() => void query.refetch()}>
          Retry
        </Button>
      )}
    </div>
  )
}
