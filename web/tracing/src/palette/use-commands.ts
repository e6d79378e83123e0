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

/** Every page one can go to from here, and every project. */
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
    const also = searchAliases[word]
    const run = () => void navigate({ to, params })
    return { id: to, word, ...(also === undefined ? {} : { also }), run }
  })
  return [
    ...pages,
    {
      id: 'own-prices',
      word: 'Own prices',
      also: 'cost override alias',
      run: () => void navigate({ to: '/p/$projectId/prices/custom', params }),
    },
    {
      id: 'price-anew',
      word: 'Price anew',
      also: 'reprice repricing cost',
      run: () => void navigate({ to: '/p/$projectId/prices/recalculate', params }),
    },
  ]
}

const organizationPages = [
  { to: '/o/$orgId/settings/general', word: 'General', also: 'organization name' },
  { to: '/o/$orgId/settings/members', word: 'Members', also: 'people team' },
  { to: '/o/$orgId/settings/invites', word: 'Invites', also: 'people add' },
  { to: '/o/$orgId/settings/roles', word: 'Roles', also: 'permissions rights' },
  { to: '/o/$orgId/settings/projects', word: 'Projects', also: 'new delete' },
  { to: '/o/$orgId/settings/single-sign-on', word: 'Single sign-on', also: 'sso saml oidc' },
  { to: '/o/$orgId/settings/audit-log', word: 'Audit log', also: 'history who' },
] as const

const platformPages = [
  { to: '/platform/access', word: 'Platform access', also: 'approve domains' },
  { to: '/platform/people', word: 'People', also: 'users accounts platform' },
  { to: '/platform/super-admins', word: 'Super admins', also: 'platform' },
  { to: '/platform/organizations', word: 'Organizations', also: 'platform' },
  { to: '/platform/audit-log', word: 'Audit log of the platform', also: 'history who' },
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
      ({ to, word, also }): Command => ({
        id: to,
        word,
        also,
        hint: name,
        run: () => void navigate({ to, params: { orgId } }),
      }),
    ),
    ...(isSuperAdmin ? platformPages : []).map(
      ({ to, word, also }): Command => ({ id: to, word, also, run: () => void navigate({ to }) }),
    ),
    {
      id: '/profile',
      word: 'Your profile',
      also: 'password sessions name account',
      run: () => void navigate({ to: '/profile' }),
    },
    { id: 'shortcuts', word: 'Keyboard shortcuts', also: 'keys help', run: onShowShortcuts },
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
          word: name,
          hint: organization.name,
          also: 'switch project',
          run: () => void navigate({ to: '/p/$projectId/traces', params: { projectId: id } }),
        }),
      ),
  )
}
