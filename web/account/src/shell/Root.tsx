import { Outlet, useMatches } from '@tanstack/react-router'
import { usePageTitle } from './page-title.ts'

/** Wraps every page, signed in or not. */
export function Root() {
  usePageTitle()
  // The frame of a signed-in person has its own landmark.
  const isFramed = useMatches({ select: (matches) => matches.some(isInFrame) })
  return isFramed ? (
    <Outlet />
  ) : (
    <main>
      <Outlet />
    </main>
  )
}

function isInFrame({ routeId }: { readonly routeId: string }): boolean {
  return routeId.startsWith('/signed-in')
}
