import { formatCount } from '@assay/ui/number-format.ts'
import { useSelectedTabInView } from '@assay/ui/use-selected-tab-in-view.ts'
import { Tabs } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { commentsQuery } from '../../api/comments.ts'
import type { TraceViewName } from './view-search.ts'
import styles from './views.module.css'

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly spanCount: number
  readonly canComment: boolean
  readonly view: TraceViewName
  readonly onView: (view: TraceViewName) => void
  readonly children: ReactNode
}

export function TraceTabs(props: Props) {
  const { projectId, traceId, spanCount, canComment, view, onView, children } = props
  const comments = useInfiniteQuery({ ...commentsQuery(projectId, traceId), enabled: canComment })
  const list = useSelectedTabInView(view, comments.data?.total)
  return (
    <Tabs
      value={view}
      onChange={(next) => onView(next as TraceViewName)}
      keepMounted={false}
      className={styles.root}
    >
      <Tabs.List ref={list} className={styles.tabs} aria-label="Trace views">
        <Tabs.Tab value="spans">
          Spans <span className={styles.count}>{formatCount(spanCount)}</span>
        </Tabs.Tab>
        <Tabs.Tab value="graph">Graph</Tabs.Tab>
        <Tabs.Tab value="usage">Tokens and cost</Tabs.Tab>
        <Tabs.Tab value="logs">Logs</Tabs.Tab>
        <Tabs.Tab value="evaluations">Evaluations</Tabs.Tab>
        {canComment && (
          <Tabs.Tab value="comments">
            Comments{' '}
            {comments.data !== undefined && comments.data.total > 0 && (
              <span className={styles.count}>{formatCount(comments.data.total)}</span>
            )}
          </Tabs.Tab>
        )}
      </Tabs.List>
      <Tabs.Panel value={view} className={styles.panel} tabIndex={-1}>
        {children}
      </Tabs.Panel>
    </Tabs>
  )
}
