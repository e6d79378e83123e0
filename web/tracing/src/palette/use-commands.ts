import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { directoryQuery } from '../api/projects.ts'
import { projectPages } from '../shell/project-pages.ts'
import { useNavigationContext } from '../shell/use-navigation-context.ts'
import { useSuperAdmin } from '../shell/use-super-admin.ts'
import type { Command } from './command-match.ts'

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly Command[]
}

/** All pages of the current context and all projects. */
export function useCommands(onShowShortcuts: () => void): readonly CommandGroup[] {
  return [
    { title: 'Pages', commands: useProjectPages() },
    { title: 'Settings', commands: useSettings(onShowShortcuts) },
    { title: 'Switch project', commands: useProjects() },
  ]
}

const searchAliases: Readonly<Partial<Record<(typeof projectPages)[number]['word'], string>>> = {
  Traces: 'runs list',
  Sessions: 'conversations chats',
  Prices: 'cost models',
  Storage: 'retention keep days delete',
  'Send traces': 'instrument snippets quick start',
  'Tracing keys': 'api key secret',
}

function useProjectPages(): readonly Command[] {
  const navigate = useNavigate()
  const project = useNavigationContext()?.project
  if (project === undefined) return []
  const params = { projectId: project.id }
  const pages = projectPages.map(({ to, word }): Command => {
    const keywords = searchAliases[word]
    const run = () => void navigate({ to, params })
    return { id: to, label: word, ...(keywords === undefined ? {} : { keywords }), run }
  })
  return [
    ...pages,
    {
      id: 'custom-prices',
      label: 'Custom prices',
      keywords: 'cost override alias',
      run: () => void navigate({ to: '/p/$projectId/prices/custom', params }),
    },
    {
      id: 'recalculate',
      label: 'Recalculate costs',
      keywords: 'reprice repricing',
      run: () => void navigate({ to: '/p/$projectId/prices/recalculate', params }),
    },
  ]
}

const organizationPages = [
  { to: '/o/$orgId/settings/general', label: 'General', keywords: 'organization name' },
  { to: '/o/$orgId/settings/members', label: 'Members', keywords: 'people team' },
  { to: '/o/$orgId/settings/invites', label: 'Invites', keywords: 'people add' },
  { to: '/o/$orgId/settings/roles', label: 'Roles', keywords: 'permissions rights' },
  { to: '/o/$orgId/settings/projects', label: 'Projects', keywords: 'new delete' },
  { to: '/o/$orgId/settings/single-sign-on', label: 'Single sign-on', keywords: 'sso saml oidc' },
  { to: '/o/$orgId/settings/audit-log', label: 'Audit log', keywords: 'history who' },
] as const

const platformPages = [
  { to: '/platform/access', label: 'Platform access', keywords: 'approve domains' },
  { to: '/platform/people', label: 'People', keywords: 'users accounts platform' },
  { to: '/platform/super-admins', label: 'Super admins', keywords: 'platform' },
  { to: '/platform/organizations', label: 'Organizations', keywords: 'platform' },
  { to: '/platform/audit-log', label: 'Platform audit log', keywords: 'history who' },
] as const

function useSettings(onShowShortcuts: () => void): readonly Command[] {
  const navigate = useNavigate()
  const context = useNavigationContext()
  const isSuperAdmin = useSuperAdmin()
  const ofOrganization = context === undefined ? [] : organizationPages
  const orgId = context?.organization.id ?? ''
  const name = context?.organization.name ?? ''
  return [
    ...ofOrganization.map(
      ({ to, label, keywords }): Command => ({
        id: to,
        label,
        keywords,
        hint: name,
        run: () => void navigate({ to, params: { orgId } }),
      }),
    ),
    ...(isSuperAdmin ? platformPages : []).map(
      ({ to, label, keywords }): Command => ({
        id: to,
        label,
        keywords,
        run: () => void navigate({ to }),
      }),
    ),
    {
      id: '/profile',
      label: 'Your profile',
      keywords: 'password sessions name account',
      run: () => void navigate({ to: '/profile' }),
    },
    { id: 'shortcuts', label: 'Keyboard shortcuts', keywords: 'keys help', run: onShowShortcuts },
  ]
}

function useProjects(): readonly Command[] {
  const navigate = useNavigate()
  const here = useNavigationContext()?.project
  const { data: directory = [] } = useQuery(directoryQuery)
  return directory.flatMap(({ organization, projects }) =>
    projects
      .filter(({ id }) => id !== here?.id)
      .map(
        ({ id, name }): Command => ({
          id,
          label: name,
          hint: organization.name,
          keywords: 'switch project',
          run: () => void navigate({ to: '/p/$projectId/traces', params: { projectId: id } }),
        }),
      ),
  )
}
