import { directoryQuery, findProject, projectToOpen } from '@assay/account/api/projects.ts'
import { defineNotFound } from '@assay/account/routes/define-page.ts'
import { createTransferRoute } from '@assay/account/session-transfer/transfer-routes.tsx'
import { NotFoundPage } from '@assay/account/shell/NotFoundPage.tsx'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { signedIn } from './signed-in.ts'

/*
 * The start page, and the transfer of the session to the tracing product.
 */

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async ({ context: { queryClient } }) => {
    const directory = await queryClient.query({ ...directoryQuery, staleTime: 'static' })
    const found = findProject(directory, projectToOpen(directory)?.id ?? '')
    if (found === undefined) return
    throw redirect({
      to: '/$orgSlug/$projectSlug',
      params: { orgSlug: found.organization.slug, projectSlug: found.project.slug },
    })
  },
  component: lazyRouteComponent(() => import('../shell/NoProjectPage.tsx'), 'NoProjectPage'),
  staticData: { page: { title: 'No project' } },
})

/** An organization alone: its project that was used last, or else its first one. */
const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/$orgSlug',
  beforeLoad: async ({ context: { queryClient }, params: { orgSlug } }) => {
    const directory = await queryClient.query({ ...directoryQuery, staleTime: 'static' })
    const own = directory.filter((entry) => entry.organization.slug === orgSlug)
    const project = projectToOpen(own)
    if (project === undefined) return
    const params = { orgSlug, projectSlug: project.slug }
    throw redirect({ to: '/$orgSlug/$projectSlug', params, replace: true })
  },
  component: NotFoundPage,
})

export const userRoutes = [
  home,
  organization,
  createTransferRoute(signedIn, 'Assay'),
  defineNotFound(signedIn),
] as const
