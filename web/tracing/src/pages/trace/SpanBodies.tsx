import type { Span } from '@assay/contract/traces.ts'
import { lazyView } from '@assay/ui/lazy-part.tsx'
import { useSelectedTabInView } from '@assay/ui/use-selected-tab-in-view.ts'
import { Tabs } from '@mantine/core'
import { useMemo } from 'react'
import { parseSpanMessages } from '../../conversation/turn-messages.ts'
import { AttributeTable } from '../../parts/AttributeTable.tsx'
import { ConversationView } from './ConversationView.tsx'
import { EventList } from './EventList.tsx'
import { LinkList } from './LinkList.tsx'
import { ResourceView } from './ResourceView.tsx'
import { SpanData } from './SpanData.tsx'
import styles from './span.module.css'
import type { DetailTab } from './view-search.ts'

interface Props {
  readonly projectId: string
  readonly traceId: string
  readonly span: Span
  readonly tab: DetailTab | undefined
  readonly onTab: (tab: DetailTab) => void
}

const SpanScores = lazyView(() => import('./SpanScores.tsx').then((file) => file.SpanScores))

/** What a span contains: its messages or input and output, attributes, events, links, resource and scores. */
export function SpanBodies({ projectId, traceId, span, tab, onTab }: Props) {
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
  const list = useSelectedTabInView(activeTab)
  return (
    <Tabs value={activeTab} onChange={(next) => onTab(next as DetailTab)} keepMounted={false}>
      <Tabs.List ref={list} className={styles.tabs}>
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
