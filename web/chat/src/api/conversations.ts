import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import {
  type Conversation,
  listConversations,
  removeConversation,
  restoreConversation,
  updateConversation,
} from '@assay/contract/conversations.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import type { NewEpoch } from '@assay/contract/sealed-history.ts'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { findDevice } from '../crypto/key-store.ts'
import { openTitle } from '../crypto/open-conversation.ts'
import type { EncryptionPlace } from './encryption.ts'
import { withEpoch } from './with-epoch.ts'

type Page = DataOf<typeof listConversations>
type Pages = InfiniteData<Page, string | undefined>

const listsKey = ['conversations']

/** The person's conversations in a project, those with `search` in the title if it is not empty. */
export function conversationsQuery(
  { slugs: { org, project }, owner }: EncryptionPlace,
  search: string,
) {
  const queryKey = [...listsKey, org, project, search]
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ signal, pageParam }): Promise<Page> => {
      const device = await findDevice(owner)
      const query = {
        org,
        project,
        ...(search === '' ? {} : { q: search }),
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
        ...(device === undefined ? {} : { device: device.id }),
      }
      const page = await call(base, listConversations, { query }, { signal })
      const conversations = await Promise.all(
        page.conversations.map(async (one) => ({
          ...one,
          title: (device && (await openTitle(one, { owner, device }))) || titleOf(one),
        })),
      )
      return { ...page, conversations }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    // While another search loads, the last one stays; never that of another project.
    placeholderData: (before: Pages | undefined, query) =>
      query?.queryKey[1] === org && query.queryKey[2] === project ? before : undefined,
  })
}

const titleOf = ({ title, encrypted }: Conversation) =>
  encrypted ? 'Encrypted conversation' : title

/** Each once: a conversation that has moved up since can be on two pages. */
export function toConversations(pages: Pick<Pages, 'pages'> | undefined): readonly Conversation[] {
  const listed = pages?.pages.flatMap(({ conversations }) => conversations) ?? []
  return [...new Map(listed.map((one) => [one.id, one])).values()]
}

export function useRenameConversation(place: EncryptionPlace) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, title, encrypted }: Pick<Conversation, 'id' | 'title' | 'encrypted'>) =>
      encrypted ? renameSealed(place, id, title) : rename(id, { title }),
    onSuccess(answer, { title }) {
      const renamed = answer.encrypted ? { ...answer, title } : answer
      changeLists(queryClient, (listed) =>
        listed.map((one) => (one.id === renamed.id ? renamed : one)),
      )
      return queryClient.invalidateQueries({ queryKey: ['conversation', renamed.id] })
    },
  })
}

const rename = (id: string, body: { title: string; encryption?: NewEpoch }) =>
  call(base, updateConversation, { params: { conversationId: id }, body })

const renameSealed = (place: EncryptionPlace, id: string, title: string) =>
  withEpoch(place, id, undefined, (_stored, encryption) =>
    rename(id, { title, ...(encryption !== undefined && { encryption }) }),
  )

/** Leaves the lists at once, and returns to them if it could not be removed. */
export function useRemoveConversation() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Conversation) =>
      call(base, removeConversation, { params: { conversationId: id } }),
    async onMutate({ id }) {
      // An older response would bring it back.
      await queryClient.cancelQueries({ queryKey: listsKey })
      changeLists(queryClient, (listed) => listed.filter((one) => one.id !== id))
    },
    // Its page, which the history of the browser leads back to, finds that it is gone.
    onSuccess: (_removed, { id }) => queryClient.removeQueries({ queryKey: ['conversation', id] }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: listsKey }),
  })
}

export function useRestoreConversation() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Conversation) =>
      call(base, restoreConversation, { params: { conversationId: id } }),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: listsKey })
      await queryClient.resetQueries({ queryKey: ['conversation', id] })
    },
  })
}

function changeLists(
  queryClient: QueryClient,
  change: (listed: readonly Conversation[]) => Conversation[],
): void {
  queryClient.setQueriesData<Pages>({ queryKey: listsKey }, (before) =>
    before === undefined
      ? undefined
      : {
          ...before,
          pages: before.pages.map((page) => ({
            ...page,
            conversations: change(page.conversations),
          })),
        },
  )
}
