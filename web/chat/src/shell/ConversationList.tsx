import type { Conversation } from '@assay/contract/conversations.ts'
import { TextButton } from '@assay/ui/TextButton.tsx'
import { Continuation } from '@assay/ui/table/Continuation.tsx'
import { useNearViewport } from '@assay/ui/use-near-viewport.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { conversationsQuery, toConversations } from '../api/conversations.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { groupByDay } from './conversation-groups.ts'
import styles from './sidebar.module.css'
import { useEncryptionPlace } from './use-encryption-place.ts'
import type { CurrentProject } from './use-project.ts'

interface Props {
  readonly current: CurrentProject
  readonly search: string
  readonly onClearSearch: () => void
  readonly onDelete: (conversation: Conversation) => void
  readonly onLeave: (() => void) | undefined
}

/** The conversations of the project. Its next page loads when its end comes into view. */
export function ConversationList(props: Props) {
  const { current, search, onClearSearch, onDelete, onLeave } = props
  const place = useEncryptionPlace(current)
  const query = useInfiniteQuery(conversationsQuery(place, search))
  const now = useNow(60_000)
  const conversations = toConversations(query.data)
  if (query.isPending) return <ListSkeleton />
  if (query.isError && query.data === undefined) {
    return (
      <div className={styles.state} role="alert">
        <span>Conversations could not be loaded: {query.error.message}</span>
        <TextButton onClick={() => void query.refetch()}>Retry</TextButton>
      </div>
    )
  }
  if (conversations.length === 0) {
    return search === '' ? (
      <p className={styles.state}>
        No conversations in this project yet. Nobody else can open yours. Members can read the
        messages in the project’s traces, unless they are encrypted.
      </p>
    ) : (
      <div className={styles.state} role="status">
        <span>No title contains “{search}”.</span>
        <TextButton onClick={onClearSearch}>Clear search</TextButton>
      </div>
    )
  }
  return (
    <div className={styles.list}>
      {groupByDay(conversations, new Date(now)).map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h3 className={styles.group}>{group.title}</h3>
          <ul className={styles.rows}>
            {group.conversations.map((conversation) => (
              <ConversationRow
                key={conversation.id}
                {...{ conversation, place, onDelete, onLeave }}
              />
            ))}
          </ul>
        </section>
      ))}
      {query.hasNextPage && !query.isFetchingNextPage && query.error === null && (
        <NextPage key={query.data.pages.length} onNear={() => void query.fetchNextPage()} />
      )}
      <Continuation query={query} />
      <p className={styles.count}>
        {query.hasNextPage
          ? `${conversations.length} loaded`
          : `${conversations.length} ${search === '' ? 'in all' : 'found'}`}
      </p>
    </div>
  )
}

/** The end of what is loaded. */
function NextPage({ onNear }: { readonly onNear: () => void }) {
  const { place, isNearViewport } = useNearViewport<HTMLDivElement>()
  useEffect(() => {
    if (isNearViewport) onNear()
    // Once: each page has an end of its own.
    // oxlint-disable-next-line react/exhaustive-deps -- the callback is another one at each render
  }, [isNearViewport])
  return <div ref={place} />
}

function ListSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading conversations">
      {[80, 60, 90, 70, 50].map((width) => (
        <Skeleton key={width} height={12} width={`${width}%`} />
      ))}
    </div>
  )
}
