import type { Permission } from '@assay/contract/access.ts'
import type { Icon } from '@tabler/icons-react'
import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'

/*
 * A page, declared once. Its route, its title, its link in the navigation or the tabs of its section, its entry in
 * the command palette and who may open it all come from this.
 */

export interface PageInfo {
  /** The title of the document and of the entry in the command palette. */
  readonly title: string
  /** The page has a link in the navigation or in the tabs of its section: with its title, or this label. */
  readonly link?: true | string
  readonly Icon?: Icon
  /** Other words to find it by. Pages without them are not in the command palette. */
  readonly keywords?: string
  /** The permission that it takes to open it. */
  readonly permission?: Permission
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: PageInfo
  }
}

interface Options<Parent, Path, Search> extends PageInfo {
  readonly parent: Parent
  readonly path: Path
  /** Keeps the search parameters that the page understands and drops others, so that an old link still opens. */
  readonly search?: (search: Readonly<Record<string, unknown>>) => Search
  readonly load: () => Promise<ComponentType>
}

export function definePage<
  Parent extends AnyRoute,
  const Path extends string,
  Search = Record<never, never>,
>({ parent, path, search, load, ...page }: Options<Parent, Path, Search>) {
  return createRoute({
    getParentRoute: () => parent,
    path,
    ...(search === undefined ? {} : { validateSearch: search }),
    component: lazyRouteComponent(async () => ({ default: await load() })),
    staticData: { page },
  })
}

/** The address of a section, which leads to its first page. */
export function defineHome<Parent extends AnyRoute>(parent: Parent, to: string) {
  return createRoute({
    getParentRoute: () => parent,
    path: '/',
    beforeLoad({ params }) {
      throw redirect({ to, params, replace: true })
    },
  })
}
