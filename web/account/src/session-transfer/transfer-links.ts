import { z } from 'zod'
import { searchSchema } from '../routes/search-schema.ts'
import { nextPath } from '../sign-in/next-path.ts'

/** The search parameters of the page that starts a session transfer. */
export const startTransferSearch = searchSchema({
  next: nextPath,
  /** Where to begin in the other product, if not with the session there. */
  via: z.literal('sign-up'),
})

/** A link to a page of the other product, which opens signed in as the same person. */
export function productLink(origin: string, path: string): string {
  return `${origin}/session-transfer/start?${new URLSearchParams({ next: path })}`
}

/** The page of the other product that creates an account and then the code. */
export function signUpLink(transferPage: URL): string {
  const next = transferPage.pathname + transferPage.search
  return `${transferPage.origin}/sign-up?${new URLSearchParams({ next })}`
}
