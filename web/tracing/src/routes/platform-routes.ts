import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { parseAuditSearch } from '../audit/audit-search.ts'
import { parseTextParam } from '../search-params.ts'
import { signedIn } from './signed-in.ts'

/*
 * The pages of super admins.
 */

const platform = createRoute({
  getParentRoute: () => signedIn,
  path: '/platform',
  component: lazyRouteComponent(
    () => import('../pages/platform/PlatformFrame.tsx'),
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
  component: lazyRouteComponent(() => import('../pages/platform/AccessPage.tsx'), 'AccessPage'),
})

const people = createRoute({
  getParentRoute: () => platform,
  path: '/people',
  validateSearch: (search): { q?: string } => {
    const q = parseTextParam(search, 'q')
    return q === undefined ? {} : { q }
  },
  component: lazyRouteComponent(() => import('../pages/platform/PeoplePage.tsx'), 'PeoplePage'),
})

const superAdmins = createRoute({
  getParentRoute: () => platform,
  path: '/super-admins',
  component: lazyRouteComponent(
    () => import('../pages/platform/SuperAdminsPage.tsx'),
    'SuperAdminsPage',
  ),
})

const organizations = createRoute({
  getParentRoute: () => platform,
  path: '/organizations',
  component: lazyRouteComponent(
    () => import('../pages/platform/OrganizationsPage.tsx'),
    'OrganizationsPage',
  ),
})

const platformAuditLog = createRoute({
  getParentRoute: () => platform,
  path: '/audit-log',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(
    () => import('../pages/platform/PlatformAuditLogPage.tsx'),
    'PlatformAuditLogPage',
  ),
})

export const platformRoutes = platform.addChildren([
  platformHome,
  access,
  people,
  superAdmins,
  organizations,
  platformAuditLog,
])
