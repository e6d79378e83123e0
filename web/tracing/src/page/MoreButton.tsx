import { FormError } from '@assay/ui/FormError.tsx'
import { Button } from '@mantine/core'
import styles from './page.module.css'

interface Props {
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    readonly error: Error | null
    readonly fetchNextPage: () => unknown
  }
}

/** Loads the next page of a list, as long as there is one. */
export function MoreButton({ list }: Props) {
  if (!list.hasNextPage) return null
  return (
    <div className={styles.more}>
      <FormError message={list.isFetchNextPageError ? list.error?.message : undefined} />
      <Button
        variant="default"
        loading={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        Load more
      </Button>
    </div>
  )
}
