import { type QueryKey, useQueryClient } from '@tanstack/react-query'

/**
 * Puts a changed item into the loaded list: it is shown before the list is refetched, which also cancels a refetch
 * that started before the change.
 */
export function useShowChanged<Item extends { readonly id: string }>(
  queryKey: QueryKey,
): (changed: Item) => void {
  const queryClient = useQueryClient()
  return (changed) => {
    queryClient.setQueryData<readonly Item[]>(queryKey, (items) =>
      items?.map((item) => (item.id === changed.id ? changed : item)),
    )
  }
}
