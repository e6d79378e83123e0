import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext } from '@tanstack/react-router'
import { Root } from '../shell/Root.tsx'

interface Context {
  readonly queryClient: QueryClient
}

/** The parent of all routes of a web app. */
export const root = createRootRouteWithContext<Context>()({ component: Root })
