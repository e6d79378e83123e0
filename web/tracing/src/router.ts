import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { organizationRoutes } from './routes/organization-routes.ts'
import { platformRoutes } from './routes/platform-routes.ts'
import { projectRoutes } from './routes/project-routes.ts'
import { publicRoutes } from './routes/public-routes.ts'
import { root, signedIn } from './routes/signed-in.ts'
import { userRoutes } from './routes/user-routes.ts'
import { parseSearch, stringifySearch } from './search-params.ts'
import { PageLoading } from './shell/PageLoading.tsx'
import { RouteProblem } from './shell/RouteProblem.tsx'

/*
 * Every address of the app. Pages are fetched when they are first opened. The router hands a page its checked
 * search parameters together with the unchecked ones, so a page takes them through its own check again.
 */

const routeTree = root.addChildren([
  ...publicRoutes,
  signedIn.addChildren([...userRoutes, projectRoutes, organizationRoutes, platformRoutes]),
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
