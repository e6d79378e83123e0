import type { QueryClient } from '@tanstack/react-query'
import { forgetSent } from './first-requests.ts'
import { forgetSignedInUser } from './signed-in-user.ts'

interface SessionEnd {
  /** Removes from the browser what the app has stored for the person. */
  readonly forgetPerson: () => void
  readonly openSignIn: () => Promise<void>
}

/** Leaves the pages of the signed-in person in all tabs of the browser, and drops their data. */
export async function endSession(
  queryClient: QueryClient,
  { forgetPerson, openSignIn }: SessionEnd,
): Promise<void> {
  forgetPerson()
  forgetSignedInUser()
  forgetSent()
  await openSignIn()
  queryClient.clear()
}
