import { Outlet } from '@tanstack/react-router'
import { usePageTitle } from './page-title.ts'

/** Around every page, signed in or not. */
export function Root() {
  usePageTitle()
  return <Outlet />
}
