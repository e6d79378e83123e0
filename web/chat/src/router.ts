import { root } from '@assay/account/routes/root-route.ts'
import { routerOptions } from '@assay/account/routes/router-options.ts'
import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { projectRoutes } from './routes/project-routes.ts'
import { publicRoutes } from './routes/public-routes.ts'
import { signedIn } from './routes/signed-in.ts'
import { userRoutes } from './routes/user-routes.ts'

/*
 * The routes of the chat app.
 */

const routeTree = root.addChildren([
  ...publicRoutes,
  signedIn.addChildren([...userRoutes, projectRoutes]),
])

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({ ...routerOptions, routeTree, context: { queryClient } })
}

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: ReturnType<typeof createAppRouter>
  }
}
