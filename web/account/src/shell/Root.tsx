import { Outlet } from '@tanstack/react-router'
import { usePageTitle } from './page-title.ts'

/** Wraps every page, signed in or not. */
export function Root() {
  usePageTitle()
  return <Outlet />
}
