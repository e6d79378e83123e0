import { useEffect } from 'react'
import { setOwnTitle } from './page-title.ts'

/** Replaces the declared title of the page while it is open: with the name of what it shows. */
export function useTitle(title: string): void {
  useEffect(() => {
    setOwnTitle(title)
    return () => setOwnTitle(undefined)
  }, [title])
}
