import { useDocumentTitle } from '@mantine/hooks'
import { use, useSyncExternalStore } from 'react'
import { useCurrentPage } from '../routes/use-pages.ts'
import { ProductName } from './product-name.ts'

/*
 * The document title: the declared one, or the one set by the open page.
 */

let ownTitle: string | undefined
const listeners = new Set<() => void>()

export function setOwnTitle(title: string | undefined): void {
  ownTitle = title
  for (const notify of listeners) notify()
}

export function usePageTitle(): void {
  const product = use(ProductName)
  const page = useCurrentPage()
  const own = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ownTitle,
  )
  const title = own ?? page?.title
  useDocumentTitle(title === undefined ? product : `${title} · ${product}`)
}
