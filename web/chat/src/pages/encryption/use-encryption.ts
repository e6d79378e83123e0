import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Encryption, type EncryptionPlace, readEncryption } from '../../api/encryption.ts'
import { readCoverage } from '../../api/recovery-codes.ts'

export function encryptionQuery(place: EncryptionPlace) {
  return queryOptions({
    queryKey: ['encryption', place.owner.org, place.owner.user, place.slugs.project],
    queryFn: ({ signal }) => readEncryption(place, signal),
    staleTime: 0,
    retry: false,
  })
}

/** What this browser or the recovery code does not open. */
export function coverageQuery(place: EncryptionPlace, encryption: Encryption) {
  return queryOptions({
    queryKey: [
      'encryption',
      'coverage',
      encryption.chain.head,
      encryption.device?.id,
      encryption.isRotating,
    ],
    queryFn: ({ signal }) => readCoverage(place, encryption, signal),
    staleTime: 0,
    retry: false,
  })
}

/** A change of the keys; conversations may be readable afterwards that were not before. */
export function useKeyChange<Input>(change: (input: Input) => Promise<void>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all(
        ['encryption', 'conversation', 'conversations'].map((name) =>
          queryClient.invalidateQueries({ queryKey: [name] }),
        ),
      ),
  })
}
