import { PageLoading } from '../shell/PageLoading.tsx'
import { RouteProblem } from '../shell/RouteProblem.tsx'
import { parseSearch, stringifySearch } from './search-params.ts'

/** The options of a web app's router. Pages are loaded on first use, and read their search parameters with `usePageSearch`. */
export const routerOptions = {
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: RouteProblem,
} as const
