import { queryOptions } from '@tanstack/react-query'
import { type EncryptionPlace, type MissingKeys, readEncryption } from './encryption.ts'

/** Why this browser has no keys; null if it has, or if the person does not encrypt conversations. */
export function missingKeysQuery(place: EncryptionPlace) {
  return queryOptions({
    queryKey: ['encryption', 'missing keys', place.owner.org, place.owner.user],
    queryFn: async ({ signal }) => (await readEncryption(place, signal)).missing ?? null,
    staleTime: 0,
  })
}

const causes: Readonly<Record<MissingKeys, string>> = {
  revoke: 'This browser was revoked',
  reset: 'Your keys were reset elsewhere',
  never: 'This browser is not enrolled',
}

/** A sentence about conversations that begin in such a browser. */
export function describeMissingKeys(why: MissingKeys): string {
  return `${causes[why]}, so new conversations in this browser are stored unencrypted.`
}
