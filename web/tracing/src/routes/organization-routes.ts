import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { parseAuditSearch } from '../audit/audit-search.ts'
import { parseSsoSearch } from '../pages/sso/sso-search.ts'
import { signedIn } from './signed-in.ts'

/*
 * The settings of an organization.
 */

const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/o/$orgId/settings',
  component: lazyRouteComponent(
    () => import('../pages/organization/OrganizationFrame.tsx'),
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
    () => import('../pages/organization/GeneralPage.tsx'),
    'GeneralPage',
  ),
})

const members = createRoute({
  getParentRoute: () => organization,
  path: '/members',
  component: lazyRouteComponent(
    () => import('../pages/organization/MembersPage.tsx'),
    'MembersPage',
  ),
})

const invites = createRoute({
  getParentRoute: () => organization,
  path: '/invites',
  component: lazyRouteComponent(
    () => import('../pages/organization/InvitesPage.tsx'),
    'InvitesPage',
  ),
})

const roles = createRoute({
  getParentRoute: () => organization,
  path: '/roles',
  component: lazyRouteComponent(() => import('../pages/organization/RolesPage.tsx'), 'RolesPage'),
})

const projects = createRoute({
  getParentRoute: () => organization,
  path: '/projects',
  component: lazyRouteComponent(
    () => import('../pages/organization/ProjectsPage.tsx'),
    'ProjectsPage',
  ),
})

const sso = createRoute({
  getParentRoute: () => organization,
  path: '/single-sign-on',
  validateSearch: parseSsoSearch,
  component: lazyRouteComponent(() => import('../pages/sso/SsoPage.tsx'), 'SsoPage'),
})

const auditLog = createRoute({
  getParentRoute: () => organization,
  path: '/audit-log',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(
    () => import('../pages/organization/AuditLogPage.tsx'),
    'AuditLogPage',
  ),
})

export const organizationRoutes = organization.addChildren([
  organizationHome,
  general,
  members,
  invites,
  roles,
  projects,
  sso,
  auditLog,
])
