import { useDocumentTitle } from '@mantine/hooks'
import { use, useSyncExternalStore } from 'react'
import { useCurrentPage } from '../routes/use-pages.ts'
import { readOwnTitle, watchOwnTitle } from './own-title.ts'
import { ProductName } from './product-name.ts'

/** The document title: the declared one, or the one set by the open page. */
export function usePageTitle(): void {
  const product = use(ProductName)
  const page = useCurrentPage()
  const own = useSyncExternalStore(watchOwnTitle, readOwnTitle)
  const title = own ?? page?.title
  useDocumentTitle(title === undefined ? product : `${title} · ${product}`)
}
