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
import { parseAuditSearch } from './audit/audit-search.ts'
import { nextPathIn } from './pages/sign-in/next-path.ts'
import { parseSignInSearch } from './pages/sign-in/sign-in-search.ts'
import { parseSsoSearch } from './pages/sso/sso-search.ts'
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
  validateSearch: parseSignInSearch,
  component: lazyRouteComponent(() => import('./pages/sign-in/SignInPage.tsx'), 'SignInPage'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: (search): { next?: string } => {
    const next = nextPathIn(search['next'])
    return next === undefined ? {} : { next }
  },
  component: lazyRouteComponent(() => import('./pages/sign-up/SignUpPage.tsx'), 'SignUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => import('./pages/password/ForgotPasswordPage.tsx'),
    'ForgotPasswordPage',
  ),
})

const choosePassword = createRoute({
  getParentRoute: () => root,
  path: '/choose-password',
  component: lazyRouteComponent(
    () => import('./pages/password/ChoosePasswordPage.tsx'),
    'ChoosePasswordPage',
  ),
})

const acceptInvite = createRoute({
  getParentRoute: () => root,
  path: '/accept-invite',
  component: lazyRouteComponent(
    () => import('./pages/invite/AcceptInvitePage.tsx'),
    'AcceptInvitePage',
  ),
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

const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/o/$orgId/settings',
  component: lazyRouteComponent(
    () => import('./pages/organization/OrganizationFrame.tsx'),
    'OrganizationFrame',
  ),
})

const organizationHome = createRoute({
  getParentRoute: () => organization,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$orgId/settings/general', params, replace: true })
  },
})

const general = createRoute({
  getParentRoute: () => organization,
  path: '/general',
  component: lazyRouteComponent(
    () => import('./pages/organization/GeneralPage.tsx'),
    'GeneralPage',
  ),
})

const members = createRoute({
  getParentRoute: () => organization,
  path: '/members',
  component: lazyRouteComponent(
    () => import('./pages/organization/MembersPage.tsx'),
    'MembersPage',
  ),
})

const invites = createRoute({
  getParentRoute: () => organization,
  path: '/invites',
  component: lazyRouteComponent(
    () => import('./pages/organization/InvitesPage.tsx'),
    'InvitesPage',
  ),
})

const roles = createRoute({
  getParentRoute: () => organization,
  path: '/roles',
  component: lazyRouteComponent(() => import('./pages/organization/RolesPage.tsx'), 'RolesPage'),
})

const projects = createRoute({
  getParentRoute: () => organization,
  path: '/projects',
  component: lazyRouteComponent(
    () => import('./pages/organization/ProjectsPage.tsx'),
    'ProjectsPage',
  ),
})

const sso = createRoute({
  getParentRoute: () => organization,
  path: '/single-sign-on',
  validateSearch: parseSsoSearch,
  component: lazyRouteComponent(() => import('./pages/sso/SsoPage.tsx'), 'SsoPage'),
})

const auditLog = createRoute({
  getParentRoute: () => organization,
  path: '/audit-log',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(
    () => import('./pages/organization/AuditLogPage.tsx'),
    'AuditLogPage',
  ),
})

const platform = createRoute({
  getParentRoute: () => signedIn,
  path: '/platform',
  component: lazyRouteComponent(
    () => import('./pages/platform/PlatformFrame.tsx'),
    'PlatformFrame',
  ),
})

const platformHome = createRoute({
  getParentRoute: () => platform,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/platform/access', replace: true })
  },
})

const access = createRoute({
  getParentRoute: () => platform,
  path: '/access',
  component: lazyRouteComponent(() => import('./pages/platform/AccessPage.tsx'), 'AccessPage'),
})

const people = createRoute({
  getParentRoute: () => platform,
  path: '/people',
  validateSearch: (search): { q?: string } => {
    const q = textIn(search, 'q')
    return q === undefined ? {} : { q }
  },
  component: lazyRouteComponent(() => import('./pages/platform/PeoplePage.tsx'), 'PeoplePage'),
})

const superAdmins = createRoute({
  getParentRoute: () => platform,
  path: '/super-admins',
  component: lazyRouteComponent(
    () => import('./pages/platform/SuperAdminsPage.tsx'),
    'SuperAdminsPage',
  ),
})

const organizations = createRoute({
  getParentRoute: () => platform,
  path: '/organizations',
  component: lazyRouteComponent(
    () => import('./pages/platform/OrganizationsPage.tsx'),
    'OrganizationsPage',
  ),
})

const platformAuditLog = createRoute({
  getParentRoute: () => platform,
  path: '/audit-log',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(
    () => import('./pages/platform/PlatformAuditLogPage.tsx'),
    'PlatformAuditLogPage',
  ),
})

const profile = createRoute({
  getParentRoute: () => signedIn,
  path: '/profile',
  component: lazyRouteComponent(() => import('./pages/profile/ProfilePage.tsx'), 'ProfilePage'),
})

const handOff = createRoute({
  getParentRoute: () => signedIn,
  path: '/hand-off',
  validateSearch: (search): { state?: string } => {
    const state = textIn(search, 'state')
    return state === undefined ? {} : { state }
  },
  component: lazyRouteComponent(() => import('./pages/hand-off/HandOffPage.tsx'), 'HandOffPage'),
})

const takeOver = createRoute({
  getParentRoute: () => root,
  path: '/take-over',
  component: lazyRouteComponent(() => import('./pages/hand-off/TakeOverPage.tsx'), 'TakeOverPage'),
})

const routeTree = root.addChildren([
  takeOver,
  setup,
  signIn,
  signUp,
  forgotPassword,
  choosePassword,
  acceptInvite,
  signedIn.addChildren([
    home,
    project.addChildren([projectHome, traces, trace, send, keys]),
    organization.addChildren([
      organizationHome,
      general,
      members,
      invites,
      roles,
      projects,
      sso,
      auditLog,
    ]),
    platform.addChildren([
      platformHome,
      access,
      people,
      superAdmins,
      organizations,
      platformAuditLog,
    ]),
    profile,
    handOff,
  ]),
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
