import { root } from '@assay/account/routes/root-route.ts'
import { routerOptions } from '@assay/account/routes/router-options.ts'
import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { organizationRoutes } from './routes/organization-routes.ts'
import { platformRoutes } from './routes/platform-routes.ts'
import { projectRoutes } from './routes/project-routes.ts'
import { publicRoutes } from './routes/public-routes.ts'
import { signedIn } from './routes/signed-in.ts'
import { userRoutes } from './routes/user-routes.ts'

/*
 * The routes of the app.
 */

const routeTree = root.addChildren([
  ...publicRoutes,
  signedIn.addChildren([...userRoutes, projectRoutes, ...organizationRoutes, platformRoutes]),
])

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    ...routerOptions,
    // Other filters show another list, from its top. Only back navigation restores the position.
    scrollToTopSelectors: ['[data-scroll-restoration-id="traces"]'],
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: ReturnType<typeof createAppRouter>
  }
}
