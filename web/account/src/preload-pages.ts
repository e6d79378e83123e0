import { preloadParts } from '@assay/ui/lazy-part.tsx'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'

/**
 * Loads the code of all pages, one after the other, whenever the open page has loaded and requests nothing: pages then
 * open at once, and an open app survives a restart of the service. Not in a browser that saves data.
 */
export async function preloadPages(router: AnyRouter, queryClient: QueryClient): Promise<void> {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  if (connection?.saveData === true) return

  const hasLoaded = () =>
    router.state.status === 'idle' &&
    router.state.resolvedLocation !== undefined &&
    queryClient.isFetching() === 0

  const untilIdle = async () => {
    do await idle()
    while (!hasLoaded())
  }

  await preloadParts(untilIdle)
  for (const route of Object.values(router.routesById)) {
    await untilIdle()
    await router.loadRouteChunk(route)
  }
  // Those of the pages that have just loaded.
  await preloadParts(untilIdle)
}

/** Resolves when the main thread is idle. Safari does not report that. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve)
    else setTimeout(resolve, 200)
  })
}
