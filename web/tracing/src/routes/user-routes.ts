import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { directoryQuery, projectToOpen } from '../api/projects.ts'
import { parseTextParam } from '../search-params.ts'
import { signedIn } from './signed-in.ts'

/*
 * Where a signed-in person arrives, and what belongs to them rather than to a project.
 */

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
  component: lazyRouteComponent(() => import('../shell/NoProjectPage.tsx'), 'NoProjectPage'),
})

const profile = createRoute({
  getParentRoute: () => signedIn,
  path: '/profile',
  component: lazyRouteComponent(() => import('../pages/profile/ProfilePage.tsx'), 'ProfilePage'),
})

const sessionTransfer = createRoute({
  getParentRoute: () => signedIn,
  path: '/session-transfer',
  validateSearch: (search): { state?: string } => {
    const state = parseTextParam(search, 'state')
    return state === undefined ? {} : { state }
  },
  component: lazyRouteComponent(
    () => import('../pages/session-transfer/SessionTransferPage.tsx'),
    'SessionTransferPage',
  ),
})

export const userRoutes = [home, profile, sessionTransfer] as const
