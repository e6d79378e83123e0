import { useEffect } from 'react'
import { setOwnTitle } from './own-title.ts'

/** Replaces the declared title while the page is open, for example with the name of what it shows. */
export function useTitle(title: string): void {
  useEffect(() => {
    setOwnTitle(title)
    return () => setOwnTitle(undefined)
  }, [title])
}
