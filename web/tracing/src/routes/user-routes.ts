import { directoryQuery, projectToOpen } from '@assay/account/api/projects.ts'
import { defineNotFound, definePage } from '@assay/account/routes/define-page.ts'
import { createTransferRoute } from '@assay/account/session-transfer/transfer-routes.tsx'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { signedIn } from './signed-in.ts'

/*
 * The start page, and the pages of the person who is signed in.
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
  staticData: { page: { title: 'No project' } },
})

const profile = definePage({
  parent: signedIn,
  path: '/profile',
  title: 'Profile',
  keywords: 'password sessions name account',
  load: () => import('../pages/profile/ProfilePage.tsx').then((file) => file.ProfilePage),
})

export const userRoutes = [
  home,
  profile,
  createTransferRoute(signedIn, 'Assay Chat'),
  defineNotFound(signedIn),
] as const
