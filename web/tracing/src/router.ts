import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { directoryQuery, projectToOpen } from './api/projects.ts'
import { isSignedOut, sessionQuery, setupQuery } from './api/session.ts'
import { nextPathIn } from './pages/sign-in/next-path.ts'
import { parseSpanSearch } from './pages/trace/span-search.ts'
import { parseTraceSearch } from './pages/traces/trace-search.ts'
import { parseSearch, stringifySearch, textIn } from './search-params.ts'
import { NotFoundPage } from './shell/NotFoundPage.tsx'
import { PageLoading } from './shell/PageLoading.tsx'
import { RouteProblem } from './shell/RouteProblem.tsx'

/*
 * Every address of the app. Pages are fetched when they are first opened. The router hands a page its checked
 * search parameters together with the unchecked ones, so a page takes them through its own check again.
 */

interface Context {
  readonly queryClient: QueryClient
}

const root = createRootRouteWithContext<Context>()({ notFoundComponent: NotFoundPage })

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  validateSearch: (search): { token?: string } => {
    const token = textIn(search, 'token')
    return token === undefined ? {} : { token }
  },
  component: lazyRouteComponent(() => import('./pages/setup/SetupPage.tsx'), 'SetupPage'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { next?: string } => {
    const next = nextPathIn(search['next'])
    return next === undefined ? {} : { next }
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/SignInPage.tsx'), 'SignInPage'),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient
      .query({ ...sessionQuery, staleTime: 'static' })
      .catch((error: unknown) => {
        if (isSignedOut(error)) return undefined
        throw error
      })
    if (session !== undefined) return
    const { needed } = await queryClient.query(setupQuery)
    if (needed) throw redirect({ to: '/setup' })
    throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
  loader: ({ context: { queryClient } }) =>
    queryClient.query({ ...directoryQuery, staleTime: 'static' }),
  component: lazyRouteComponent(() => import('./shell/Shell.tsx'), 'Shell'),
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async ({ context: { queryClient } }) => {
    const project = projectToOpen(
      await queryClient.query({ ...directoryQuery, staleTime: 'static' }),
    )
    if (project === undefined) return
    throw redirect({ to: '/p/$projectId/traces', params: { projectId: project.id } })
  },
  component: lazyRouteComponent(() => import('./shell/NoProjectPage.tsx'), 'NoProjectPage'),
})

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/p/$projectId',
  component: lazyRouteComponent(() => import('./shell/ProjectFrame.tsx'), 'ProjectFrame'),
})

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$projectId/traces', params })
  },
})

const traces = createRoute({
  getParentRoute: () => project,
  path: '/traces',
  validateSearch: parseTraceSearch,
  component: lazyRouteComponent(() => import('./pages/traces/TraceListPage.tsx'), 'TraceListPage'),
})

const trace = createRoute({
  getParentRoute: () => project,
  path: '/traces/$traceId',
  validateSearch: parseSpanSearch,
  component: lazyRouteComponent(() => import('./pages/trace/TracePage.tsx'), 'TracePage'),
})

const send = createRoute({
  getParentRoute: () => project,
  path: '/send',
  validateSearch: (search): { with?: string } => {
    const tool = textIn(search, 'with')
    return tool === undefined ? {} : { with: tool }
  },
  component: lazyRouteComponent(() => import('./pages/send/SendPage.tsx'), 'SendPage'),
})

const keys = createRoute({
  getParentRoute: () => project,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys/KeysPage.tsx'), 'KeysPage'),
})

const routeTree = root.addChildren([
  setup,
  signIn,
  signedIn.addChildren([home, project.addChildren([projectHome, traces, trace, send, keys])]),
])

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    // Other filters are another list: it begins at its top, and only going back returns to where one was.
    scrollToTopSelectors: ['[data-scroll-restoration-id="traces"]'],
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: RouteProblem,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: ReturnType<typeof createAppRouter>
  }
}
