import type { Permission } from '@assay/contract/access.ts'
import type { Icon } from '@tabler/icons-react'
import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { NotFoundPage } from '../shell/NotFoundPage.tsx'
import type { SearchSchema } from './search-schema.ts'

/*
 * A page, declared once: the source of its route, title, link in the navigation or tabs, command palette
 * entry, required permission and search parameters.
 */

export interface PageInfo {
  /** The title of the document and of the entry in the command palette. */
  readonly title: string
  /** Adds a link to the navigation or the tabs of the section, with the title or this label. */
  readonly link?: true | string
  readonly Icon?: Icon
  /** Search keywords. Pages without them are not in the command palette. */
  readonly keywords?: string
  /** Opens it when pressed after `g`. */
  readonly goKey?: string
  /** The permission required to open it. */
  readonly permission?: Permission
  readonly search?: SearchSchema<object>
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: PageInfo
  }
}

interface Options<Parent, Path, Search> extends Omit<PageInfo, 'search'> {
  readonly parent: Parent
  readonly path: Path
  readonly search?: SearchSchema<Search>
  readonly load: () => Promise<ComponentType>
}

export function definePage<
  Parent extends AnyRoute,
  const Path extends string,
  Search extends object = Record<never, never>,
>({ parent, path, load, ...page }: Options<Parent, Path, Search>) {
  return createRoute({
    getParentRoute: () => parent,
    path,
    ...(page.search === undefined ? {} : { validateSearch: page.search.parse }),
    component: lazyRouteComponent(async () => ({ default: await load() })),
    staticData: { page },
  })
}

/** Under any other path of `parent`: in its frame, whose links lead on. */
export function defineNotFound<Parent extends AnyRoute>(parent: Parent) {
  return createRoute({ getParentRoute: () => parent, path: '$', component: NotFoundPage })
}

/** The path of a section, which redirects to its first page. */
export function defineHome<Parent extends AnyRoute>(parent: Parent, to: string) {
  return createRoute({
    getParentRoute: () => parent,
    path: '/',
    beforeLoad({ params }) {
      throw redirect({ to, params, replace: true })
    },
  })
}
