import { text } from '@assay/account/routes/search-fields.ts'
import { searchSchema } from '@assay/account/routes/search-schema.ts'
import { createRoute, lazyRouteComponent, retainSearchParams } from '@tanstack/react-router'
import { signedIn } from './signed-in.ts'

/*
 * The pages of a project.
 */

const listSearch = searchSchema({ q: text })

/** Undefined removes it, where links would retain it. */
type ListSearch = { readonly q?: string | undefined }

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/$orgSlug/$projectSlug',
  // The search in the list of conversations, which is on every page.
  validateSearch: (search): ListSearch => listSearch.parse(search),
  search: { middlewares: [retainSearchParams<ListSearch>(['q'])] },
  component: lazyRouteComponent(() => import('../shell/ProjectFrame.tsx'), 'ProjectFrame'),
})

/** One page for new and stored conversations: it stays when the first message creates the conversation. */
const conversation = createRoute({
  getParentRoute: () => project,
  id: 'conversation',
  component: lazyRouteComponent(
    () => import('../pages/conversation/ConversationPage.tsx'),
    'ConversationPage',
  ),
})

const newConversation = createRoute({
  getParentRoute: () => conversation,
  path: '/',
  staticData: { page: { title: 'New conversation' } },
})

const storedConversation = createRoute({
  getParentRoute: () => conversation,
  path: '/c/$conversationId',
  staticData: { page: { title: 'Conversation' } },
})

const encryption = createRoute({
  getParentRoute: () => project,
  path: '/encryption',
  staticData: { page: { title: 'Encryption' } },
  component: lazyRouteComponent(
    () => import('../pages/encryption/EncryptionPage.tsx'),
    'EncryptionPage',
  ),
})

export const projectRoutes = project.addChildren([
  encryption,
  conversation.addChildren([newConversation, storedConversation]),
])
