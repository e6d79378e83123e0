import { queryOptions } from '@tanstack/react-query'
import { hasKeys } from '../crypto/key-store.ts'
import { type EncryptionPlace, type Removal, readEncryption } from './encryption.ts'

/** What took the keys of this browser away; null if it has keys, or never had any. */
export function removalQuery(place: EncryptionPlace) {
  return queryOptions({
    queryKey: ['encryption', 'removal', place.owner.org, place.owner.user],
    queryFn: ({ signal }) => findRemoval(place, signal),
    staleTime: 0,
  })
}

async function findRemoval(place: EncryptionPlace, signal: AbortSignal): Promise<Removal | null> {
  if (!(await hasKeys(place.owner))) return null
  return (await readEncryption(place, signal)).removal ?? null
}

/** A sentence about conversations that begin in such a browser. */
export function describeRemoval({ by }: Pick<Removal, 'by'>): string {
  const cause = by === 'revoke' ? 'This browser was revoked' : 'Your keys were reset elsewhere'
  return `${cause}, so new conversations in this browser are not encrypted: they are stored readable.`
}
