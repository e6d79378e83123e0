import { countOf } from '@assay/ui/count-of.ts'
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
  /** Shown if there are none yet. */
  readonly empty: ReactNode
}

/** A list of trace groups (sessions or users), most recent first. */
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
            {countOf(items.length, one)}
            {list.hasNextPage && ' loaded, more available'}
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
