import { defineHome, definePage } from '@assay/account/routes/define-page.ts'
import { createRoute, redirect } from '@tanstack/react-router'
import { auditSearch } from '../audit/audit-search.ts'
import { ssoSearch } from '../pages/sso/sso-search.ts'
import { signedIn } from './signed-in.ts'

/*
 * The settings of an organization, in the order of their tabs.
 */

const organization = definePage({
  parent: signedIn,
  path: '/o/$orgId/settings',
  title: 'Settings',
  load: () =>
    import('../pages/organization/OrganizationFrame.tsx').then((file) => file.OrganizationFrame),
})

/** An organization alone: its projects. */
const organizationHome = createRoute({
  getParentRoute: () => signedIn,
  path: '/o/$orgId',
  beforeLoad({ params }) {
    throw redirect({ to: '/o/$orgId/settings/projects', params, replace: true })
  },
})

const general = definePage({
  parent: organization,
  path: '/general',
  title: 'General',
  link: true,
  keywords: 'organization name',
  load: () => import('../pages/organization/GeneralPage.tsx').then((file) => file.GeneralPage),
})

const members = definePage({
  parent: organization,
  path: '/members',
  title: 'Members',
  link: true,
  keywords: 'people team',
  load: () => import('../pages/organization/MembersPage.tsx').then((file) => file.MembersPage),
})

const invites = definePage({
  parent: organization,
  path: '/invites',
  title: 'Invites',
  link: true,
  keywords: 'people add',
  permission: 'manage_members',
  load: () => import('../pages/organization/InvitesPage.tsx').then((file) => file.InvitesPage),
})

const roles = definePage({
  parent: organization,
  path: '/roles',
  title: 'Roles',
  link: true,
  keywords: 'permissions rights',
  load: () => import('../pages/organization/RolesPage.tsx').then((file) => file.RolesPage),
})

const projects = definePage({
  parent: organization,
  path: '/projects',
  title: 'Projects',
  link: true,
  keywords: 'new delete',
  load: () => import('../pages/organization/ProjectsPage.tsx').then((file) => file.ProjectsPage),
})

const models = definePage({
  parent: organization,
  path: '/models',
  title: 'Models',
  link: true,
  keywords: 'model key provider judge openai anthropic ollama',
  load: () => import('../pages/models/ModelsPage.tsx').then((file) => file.ModelsPage),
})

const sso = definePage({
  parent: organization,
  path: '/single-sign-on',
  title: 'Single sign-on',
  link: true,
  keywords: 'sso saml oidc',
  permission: 'manage_sso',
  search: ssoSearch,
  load: () => import('../pages/sso/SsoPage.tsx').then((file) => file.SsoPage),
})

const auditLog = definePage({
  parent: organization,
  path: '/audit-log',
  title: 'Audit log',
  link: true,
  keywords: 'history who',
  permission: 'manage_org_settings',
  search: auditSearch,
  load: () => import('../pages/organization/AuditLogPage.tsx').then((file) => file.AuditLogPage),
})

export const organizationRoutes = [
  organizationHome,
  organization.addChildren([
    defineHome(organization, '/o/$orgId/settings/general'),
    general,
    members,
    invites,
    roles,
    projects,
    models,
    sso,
    auditLog,
  ]),
] as const
