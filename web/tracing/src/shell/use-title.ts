import { useDocumentTitle } from '@mantine/hooks'

/** Names the page in the browser's tab and history. */
export function useTitle(title: string): void {
  useDocumentTitle(`${title} · Assay`)
}
