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
 * The routes of the app. Pages are loaded on first use, and read their search parameters with `usePageSearch`.
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
    // Other filters show another list, from its top. Only back navigation restores the position.
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
