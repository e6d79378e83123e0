import { type AnyRoute, useMatches, useRouter } from '@tanstack/react-router'
import type { PageInfo } from './define-page.ts'

/*
 * The declared pages, read from the router: for links, the command palette and titles.
 */

export interface DeclaredPage extends PageInfo {
  /** The path with the names of its parameters: `/p/$projectId/traces`. */
  readonly to: string
  /** The path of its section. */
  readonly section: string
}

/** Every declared page, in order of declaration. */
export function usePages(): readonly DeclaredPage[] {
  const { routesById } = useRouter()
  return Object.values(routesById as Readonly<Record<string, AnyRoute>>).flatMap((route) => {
    const page: PageInfo | undefined = route.options.staticData?.page
    const parent = route.parentRoute as AnyRoute | undefined
    return page === undefined ? [] : [{ ...page, to: route.fullPath, section: parent?.fullPath }]
  })
}

/** The pages of a section with a link. */
export function useLinkedPages(section: string): readonly DeclaredPage[] {
  return usePages().filter((page) => page.link !== undefined && page.section === section)
}

export function linkLabel({ link, title }: PageInfo): string {
  return typeof link === 'string' ? link : title
}

/** The open page. */
export function useCurrentPage(): PageInfo | undefined {
  return useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.page)?.staticData.page,
  })
}
