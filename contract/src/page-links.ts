import type { Product } from './endpoint.ts'

/*
 * Pages of the web apps that external links open. Secrets are in the fragment, which browsers do not send.
 */

/** The page of an invite. */
export function acceptInvitePage(token: string): string {
  return `/accept-invite#token=${token}`
}

/** The page to choose a new password. Signing in with it opens `next`. */
export function choosePasswordPage(token: string, next = '/'): string {
  const search = next === '/' ? '' : `?next=${encodeURIComponent(next)}`
  return `/choose-password${search}#token=${token}`
}

/** The page that requests a code for the other product's `state`. */
export function startTransferPage(to: Product, state: string): string {
  return `/session-transfer?to=${to}&state=${state}`
}

/** The page that redeems the code. */
export function redeemTransferPage(code: string): string {
  return `/session-transfer/redeem#code=${code}`
}
