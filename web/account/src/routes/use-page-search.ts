import type { RegisteredRouter, RouteApi, RouteById, RouteIds } from '@tanstack/react-router'

type Routes = RegisteredRouter['routeTree']
type SearchOfPage<Id> = RouteById<Routes, Id>['types']['fullSearchSchema']

/** The valid search parameters of a page. The router's `useSearch` also returns unknown and invalid ones. */
export function usePageSearch<const Id extends RouteIds<Routes>>(
  route: RouteApi<Id>,
): SearchOfPage<Id> {
  return route.useMatch({
    select: ({ search, staticData }) => staticData.page?.search?.parse(search) as SearchOfPage<Id>,
  })
}
