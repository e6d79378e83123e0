import { setImmediate as nextTurn } from 'node:timers/promises'
import { openMemberTurns } from '../../platform/member-turns.ts'
import type { Requester } from '../../platform/requester.ts'
import type {
  ConversationPosition,
  ListedConversation,
} from '../../storage/accounts/conversation-store.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

/*
 * Pages of the list of conversations. A search reads the titles of all, in chunks between which other requests are
 * served: there is no index for a part of a title, and on SQLite a statement holds the event loop.
 */

export interface PageQuery {
  readonly limit: number
  readonly after: ConversationPosition | undefined
  /** A part of the title. */
  readonly part: string | undefined
}

export interface ConversationPage {
  readonly rows: readonly ListedConversation[]
  /** Where the next page starts; undefined on the last one. */
  readonly next: ConversationPosition | undefined
}

export type ListPage = (
  by: { readonly requester: Requester; readonly signal: AbortSignal },
  projectId: string,
  query: PageQuery,
) => Promise<ConversationPage>

const titlesPerTurn = 500

export function openListPage(
  conversations: Pick<AccountStores['conversations'], 'list'>,
): ListPage {
  const inTurn = openMemberTurns({
    // With accounts on another server, one can be read while another is searched.
    runningMax: 2,
    // Those that wait hold nothing but their connections, which are limited.
    ...{ waitingMax: Number.POSITIVE_INFINITY, refusal: 'Too many conversations are searched.' },
  })
  return async ({ requester, signal }, projectId, { limit, after, part = '' }) => {
    const [, userId] = requester
    // One more than requested shows whether there is a next page.
    const wanted = limit + 1
    const read = (from: ConversationPosition | undefined, count: number) =>
      conversations.list(userId, projectId, { limit: count, after: from })
    if (part === '') return toPage(await read(after, wanted), limit)
    const lowerPart = part.toLowerCase()
    return await inTurn({ requester, signal }, async () => {
      const found: ListedConversation[] = []
      for (let from = after; ; ) {
        const chunk = await read(from, titlesPerTurn)
        found.push(...chunk.filter((row) => row.lower_title.includes(lowerPart)))
        from = chunk.at(-1)
        if (found.length >= wanted || chunk.length < titlesPerTurn) return toPage(found, limit)
        await nextTurn()
        signal.throwIfAborted()
      }
    })
  }
}

function toPage(rows: readonly ListedConversation[], limit: number): ConversationPage {
  const page = rows.slice(0, limit)
  return { rows: page, next: rows.length > limit ? page.at(-1) : undefined }
}
