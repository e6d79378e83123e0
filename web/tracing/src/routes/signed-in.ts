import { directoryQuery } from '@assay/account/api/projects.ts'
import { currentUserQuery, findSession, setupQuery } from '@assay/account/api/session.ts'
import { root } from '@assay/account/routes/root-route.ts'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { signInSearch } from '../pages/sign-in/sign-in-search.ts'

/*
 * The parents of all routes: the part that requires a session, and the part without one.
 */

export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    if ((await findSession(queryClient)) !== undefined) return
    const { needed } = await queryClient.query(setupQuery)
    if (needed) throw redirect({ to: '/setup' })
    throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
  loader: ({ context: { queryClient } }) =>
    queryClient.query({ ...directoryQuery, staleTime: 'static' }),
  component: lazyRouteComponent(() => import('../shell/Shell.tsx'), 'Shell'),
})

/** Redirects to the app with a session, unless there is a failed sign-in to explain. */
export const signedOut = createRoute({
  getParentRoute: () => root,
  id: 'signed-out',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const { next = '/', problem } = signInSearch.parse({ ...location.search })
    if (problem !== undefined) return
    const user = await queryClient.query(currentUserQuery).catch(() => null)
    if (user !== null) throw redirect({ href: next, replace: true })
  },
})
