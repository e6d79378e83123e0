import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import type { Span } from '@assay/contract/traces.ts'
import { lazyView } from '@assay/ui/lazy-part.tsx'
import { Problem } from '@assay/ui/Problem.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { Tabs } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { spanQuery } from '../../api/traces.ts'
import { parseSpanMessages } from '../../conversation/turn-messages.ts'
import { AttributeTable } from '../../parts/AttributeTable.tsx'
import type { SpanNode } from '../../spans/span-tree.ts'
import { ConversationView } from './ConversationView.tsx'
import { ErrorBox } from './ErrorBox.tsx'
import { EventList } from './EventList.tsx'
import { LinkList } from './LinkList.tsx'
import { ResourceView } from './ResourceView.tsx'
import { SpanData } from './SpanData.tsx'
import { SpanFacts } from './SpanFacts.tsx'
import styles from './span.module.css'
import type { DetailTab } from './view-search.ts'

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly spanId: string
  /** The span in the tree; undefined if it is not there (yet). */
  readonly node: SpanNode | undefined
  /** The call within that counts in its place. */
  readonly innerCallId: string | undefined
  readonly isLoadingTrace: boolean
  readonly tab: DetailTab | undefined
  readonly onTab: (tab: DetailTab) => void
}

const SpanScores = lazyView(() => import('./SpanScores.tsx').then((file) => file.SpanScores))

/** Skips spans passed over while an arrow key is held. */
const debounceMs = 90

export function SpanPane(props: Props) {
  const { projectId, traceId, spanId, node, isLoadingTrace, tab, onTab } = props
  const [debouncedId] = useDebouncedValue(spanId, debounceMs, { leading: true })
  const isDebouncing = debouncedId !== spanId
  const query = useQuery({ ...spanQuery(projectId, traceId, debouncedId), enabled: !isDebouncing })
  const span = isDebouncing ? undefined : query.data
  const shown = span ?? node?.span

  if (shown === undefined) {
    if (isLoadingTrace || query.isPending) return <TableSkeleton rows={6} />
    return (
      <Problem title="Span not found">
        This trace has no span <code>{spanId}</code>. Select another one in the tree.
      </Problem>
    )
  }
  return (
    <section className={styles.pane} aria-label="Span">
      <SpanFacts
        projectId={projectId}
        traceId={traceId}
        span={shown}
        isOpen={node?.isOpen === true}
        errorsBelow={node?.errorsBelow ?? 0}
        innerCallId={props.innerCallId}
      />
      <ErrorBox span={shown} />
      {span !== undefined ? (
        <Bodies key={spanId} {...{ projectId, traceId, span, tab, onTab }} />
      ) : query.isError && !isDebouncing ? (
        <RequestProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <TableSkeleton rows={5} />
      )}
    </section>
  )
}

interface BodiesProps {
  readonly projectId: string
  readonly traceId: string
  readonly span: Span
  readonly tab: DetailTab | undefined
  readonly onTab: (tab: DetailTab) => void
}

function Bodies({ projectId, traceId, span, tab, onTab }: BodiesProps) {
  const { input, output } = span
  const messages = useMemo(() => parseSpanMessages(input, output), [input, output])
  const hasConversation = messages !== undefined
  const counts = {
    attributes: Object.keys(span.attributes).length,
    events: span.events.length,
    links: span.links.length,
    resource: Object.keys(span.resource).length + Object.keys(span.scope).length,
  }
  const parts = { ...counts, conversation: Number(hasConversation), data: 1, scores: 1 }
  const firstTab = hasConversation ? 'conversation' : 'data'
  const activeTab = tab !== undefined && parts[tab] > 0 ? tab : firstTab
  return (
    <Tabs value={activeTab} onChange={(next) => onTab(next as DetailTab)} keepMounted={false}>
      <Tabs.List className={styles.tabs}>
        {hasConversation && <Tabs.Tab value="conversation">Conversation</Tabs.Tab>}
        <Tabs.Tab value="data">Input and output</Tabs.Tab>
        {counts.attributes > 0 && (
          <Tabs.Tab value="attributes">Attributes ({counts.attributes})</Tabs.Tab>
        )}
        {counts.events > 0 && <Tabs.Tab value="events">Events ({counts.events})</Tabs.Tab>}
        {counts.links > 0 && <Tabs.Tab value="links">Links ({counts.links})</Tabs.Tab>}
        {counts.resource > 0 && <Tabs.Tab value="resource">Resource</Tabs.Tab>}
        <Tabs.Tab value="scores">Scores</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={activeTab} className={styles.panel}>
        {activeTab === 'conversation' && messages !== undefined && (
          <ConversationView span={span} messages={messages} />
        )}
        {activeTab === 'data' && <SpanData span={span} />}
        {activeTab === 'attributes' && (
          <AttributeTable attributes={span.attributes} label="attributes" filterIn={projectId} />
        )}
        {activeTab === 'events' && <EventList events={span.events} startedAt={span.started_at} />}
        {activeTab === 'links' && <LinkList projectId={projectId} links={span.links} />}
        {activeTab === 'scores' && (
          <SpanScores projectId={projectId} traceId={traceId} spanId={span.span_id} />
        )}
        {activeTab === 'resource' && <ResourceView span={span} projectId={projectId} />}
      </Tabs.Panel>
    </Tabs>
  )
}
