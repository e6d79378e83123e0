import type { Product } from './endpoint.ts'

/*
 * Pages of the web apps that links from elsewhere lead to. Secrets stand in the fragment, which browsers send to
 * nobody.
 */

/** Where an invited person learns what they are invited to. */
export function acceptInvitePage(token: string): string {
  return `/accept-invite#token=${token}`
}

/** Where a person chooses a new password. */
export function choosePasswordPage(token: string): string {
  return `/choose-password#token=${token}`
}

/** Where a signed-in person's browser asks for a code for the other product's `state`. */
export function startTransferPage(to: Product, state: string): string {
  return `/session-transfer?to=${to}&state=${state}`
}

/** Where the browser comes back to with the code. */
export function redeemTransferPage(code: string): string {
  return `/session-transfer/redeem#code=${code}`
}
