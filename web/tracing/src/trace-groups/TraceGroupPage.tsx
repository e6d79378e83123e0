import { formatCount } from '@assay/ui/number-format.ts'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import type { ReactNode } from 'react'
import type { TraceGroupPage as Page, TraceGroup } from '../api/trace-sessions.ts'
import { MoreButton } from '../page/MoreButton.tsx'
import { PageHead } from '../page/PageHead.tsx'
import page from '../page/page.module.css'
import { RequestProblem } from '../shell/RequestProblem.tsx'
import { TraceGroupTable } from './TraceGroupTable.tsx'
import styles from './trace-groups.module.css'

interface Props {
  readonly title: string
  readonly lead: string
  /** `session`. */
  readonly one: string
  readonly list: Parameters<typeof MoreButton>[0]['list'] & {
    readonly data: { readonly pages: readonly Page[] } | undefined
    readonly isPending: boolean
    readonly refetch: () => unknown
  }
  readonly link: (item: TraceGroup, className: string | undefined) => ReactNode
  /** Where there is none yet: how traces come to name one. */
  readonly empty: ReactNode
}

/** A page of what traces can be grouped by, seen last first. */
export function TraceGroupPage({ title, lead, one, list, link, empty }: Props) {
  const items = list.data?.pages.flatMap((each) => each.items) ?? []
  return (
    <div className={styles.page}>
      <PageHead title={title} lead={lead} />
      {list.isPending ? (
        <TableSkeleton rows={8} />
      ) : list.error !== null && items.length === 0 ? (
        <RequestProblem error={list.error} onRetry={() => void list.refetch()} />
      ) : items.length === 0 ? (
        empty
      ) : (
        <>
          <p className={page.count} role="status">
            {formatCount(items.length)} {items.length === 1 ? one : `${one}s`}{' '}
            {list.hasNextPage ? 'loaded, more below' : 'in all'}
          </p>
          <TraceGroupTable caption={title} one={capitalized(one)} items={items} link={link} />
          <MoreButton list={list} />
        </>
      )}
    </div>
  )
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
