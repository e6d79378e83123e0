import { directoryQuery, findProject, projectToOpen } from '@assay/account/api/projects.ts'
import { defineNotFound, definePage } from '@assay/account/routes/define-page.ts'
import { searchSchema, text } from '@assay/account/routes/search-schema.ts'
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

const sessionTransfer = definePage({
  parent: signedIn,
  path: '/session-transfer',
  title: 'Open Assay',
  search: searchSchema({ state: text }),
  load: () =>
    import('../pages/session-transfer/SessionTransferPage.tsx').then(
      (file) => file.SessionTransferPage,
    ),
})

export const userRoutes = [home, sessionTransfer, defineNotFound(signedIn)] as const
