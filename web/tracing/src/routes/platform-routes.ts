import { defineHome, definePage } from '@assay/account/routes/define-page.ts'
import { text } from '@assay/account/routes/search-fields.ts'
import { searchSchema } from '@assay/account/routes/search-schema.ts'
import { auditSearch } from '../audit/audit-search.ts'
import { signedIn } from './signed-in.ts'

/*
 * The pages of super admins, in the order of their tabs.
 */

const platform = definePage({
  parent: signedIn,
  path: '/platform',
  title: 'Platform',
  load: () => import('../pages/platform/PlatformFrame.tsx').then((file) => file.PlatformFrame),
})

const access = definePage({
  parent: platform,
  path: '/access',
  title: 'Platform access',
  link: 'Access',
  keywords: 'approve domains',
  load: () => import('../pages/platform/AccessPage.tsx').then((file) => file.AccessPage),
})

const people = definePage({
  parent: platform,
  path: '/people',
  title: 'Accounts',
  link: true,
  keywords: 'users people platform disable',
  search: searchSchema({ q: text }),
  load: () => import('../pages/platform/PeoplePage.tsx').then((file) => file.PeoplePage),
})

const superAdmins = definePage({
  parent: platform,
  path: '/super-admins',
  title: 'Super admins',
  link: true,
  keywords: 'platform',
  load: () => import('../pages/platform/SuperAdminsPage.tsx').then((file) => file.SuperAdminsPage),
})

const organizations = definePage({
  parent: platform,
  path: '/organizations',
  title: 'Organizations',
  link: true,
  keywords: 'platform',
  load: () =>
    import('../pages/platform/OrganizationsPage.tsx').then((file) => file.OrganizationsPage),
})

const platformAuditLog = definePage({
  parent: platform,
  path: '/audit-log',
  title: 'Platform audit log',
  link: 'Audit log',
  keywords: 'history who',
  search: auditSearch,
  load: () =>
    import('../pages/platform/PlatformAuditLogPage.tsx').then((file) => file.PlatformAuditLogPage),
})

export const platformRoutes = platform.addChildren([
  defineHome(platform, '/platform/access'),
  access,
  people,
  superAdmins,
  organizations,
  platformAuditLog,
])
