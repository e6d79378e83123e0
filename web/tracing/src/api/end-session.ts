import type { QueryClient } from '@tanstack/react-query'
import { forgetDrafts } from './draft-store.ts'
import { forgetKeys } from './revealed-keys.ts'
import { forgetSignedInUser } from './signed-in-user.ts'

/** Removes from the browser what belongs to the signed-in person. */
export function forgetPerson(): void {
  forgetKeys()
  forgetDrafts()
  forgetSignedInUser()
}

/** Leaves the pages of the signed-in person in all tabs of the browser, and drops their data. */
export async function endSession(
  queryClient: QueryClient,
  openSignIn: () => Promise<void>,
): Promise<void> {
  forgetPerson()
  await openSignIn()
  queryClient.clear()
}
