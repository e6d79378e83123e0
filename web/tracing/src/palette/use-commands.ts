import { directoryQuery } from '@assay/account/api/projects.ts'
import { type DeclaredPage, usePages } from '@assay/account/routes/use-pages.ts'
import { hasPermission } from '@assay/contract/access.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useChatLink } from '../shell/use-chat-link.ts'
import { useNavigationContext } from '../shell/use-navigation-context.ts'
import { useSuperAdmin } from '../shell/use-super-admin.ts'
import type { Command } from './command-match.ts'

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly Command[]
}

/** All pages that can be opened from here, and all projects. */
export function useCommands(onShowShortcuts: () => void): readonly CommandGroup[] {
  const settings = useSettings()
  const shortcuts = {
    id: 'shortcuts',
    label: 'Keyboard shortcuts',
    keywords: 'keys help',
    run: onShowShortcuts,
  }
  return [
    { title: 'Pages', commands: [...useProjectPages(), ...useChat()] },
    { title: 'Settings', commands: [...settings, shortcuts] },
    { title: 'Switch project', commands: useProjects() },
  ]
}

function useProjectPages(): readonly Command[] {
  const project = useNavigationContext()?.project
  const toCommand = useToCommand({ projectId: project?.id ?? '' })
  const pages = usePages().filter(({ to }) => to.startsWith('/p/'))
  return project === undefined ? [] : pages.flatMap((page) => toCommand(page))
}

function useChat(): readonly Command[] {
  const link = useChatLink()
  if (link === undefined) return []
  const keywords = 'conversations assistant messages'
  return [{ id: 'chat', label: 'Open chat', keywords, run: () => location.assign(link) }]
}

function useSettings(): readonly Command[] {
  const organization = useNavigationContext()?.organization
  const isSuperAdmin = useSuperAdmin()
  const toCommand = useToCommand({ orgId: organization?.id ?? '' })
  return usePages().flatMap((page) => {
    if (page.to.startsWith('/p/')) return []
    if (page.to.startsWith('/platform')) return isSuperAdmin ? toCommand(page) : []
    if (!page.to.startsWith('/o/')) return toCommand(page)
    const isOpen =
      organization !== undefined &&
      (page.permission === undefined || hasPermission(organization.role, page.permission))
    return isOpen ? toCommand(page, organization.name) : []
  })
}

/** The command that opens a page, for pages that are declared with keywords. */
function useToCommand(params: Readonly<Record<string, string>>) {
  const navigate = useNavigate()
  return ({ to, title, keywords }: DeclaredPage, hint?: string): readonly Command[] => {
    if (keywords === undefined) return []
    const run = () => void navigate({ to, params })
    return [{ id: to, label: title, keywords, ...(hint === undefined ? {} : { hint }), run }]
  }
}

function useProjects(): readonly Command[] {
  const navigate = useNavigate()
  const here = useNavigationContext()?.project
  const { data: directory = [] } = useQuery(directoryQuery)
  return directory.flatMap(({ organization, projects }) =>
    projects.map(
      ({ id, name }): Command => ({
        id,
        label: name,
        hint: id === here?.id ? `${organization.name}, current project` : organization.name,
        keywords: 'switch project',
        run: () => void navigate({ to: '/p/$projectId/traces', params: { projectId: id } }),
      }),
    ),
  )
}
