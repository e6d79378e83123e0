import type { Product } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { redeemTransferPage, startTransferPage } from '@assay/contract/page-links.ts'
import {
  createSessionTransfer,
  redeemSessionTransfer as redeemSessionTransferEndpoint,
  startSessionTransfer,
} from '@assay/contract/session-transfer.ts'
import { openLookupLimit } from '../../accounts/lookup-limit.ts'
import { hashOfToken, isToken, newToken } from '../../accounts/secret-token.ts'
import type { SignInRateLimiter } from '../../accounts/sign-in-rate-limiter.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Counters } from '../../platform/counters.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { redeemSessionTransfer } from './redeem-session-transfer.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly rateLimiter: Pick<SignInRateLimiter, 'countChange'>
  readonly counters: Counters
  readonly clock: Clock
  readonly baseUrls: Readonly<Record<Product, string>>
}

/** Long enough to sign in on the other host. */
const flowMs = 10 * 60_000

export function registerSessionTransfer(ports: Ports): void {
  const { bind, accounts, rateLimiter, counters, clock, baseUrls } = ports
  const limitRedemptions = openLookupLimit('session transfers', counters)

  bind(startSessionTransfer, async ({ product, signIn }) => {
    const cookie = signIn.read()
    // An existing cookie belongs to another flow of this browser, which must keep working.
    const flow = cookie !== undefined && isToken(cookie) ? cookie : newToken()
    signIn.write(flow, new Date(clock.now().getTime() + flowMs))
    const state = hashOfToken(flow)
    return { state, url: baseUrls[otherProduct(product)] + startTransferPage(product, state) }
  })

  bind(createSessionTransfer, async ({ product, caller, body }) => {
    await rateLimiter.countChange(caller.user.id)
    const code = newToken()
    const now = Date.parse(await accounts.clock.now())
    await accounts.transaction(async ({ sessionTransfers }) => {
      await sessionTransfers.removeOldest(caller.sessionId, limits.sessionTransfers.value - 1)
      await sessionTransfers.insert({
        code_hash: hashOfToken(code),
        session_id: caller.sessionId,
        flow_hash: body.state,
        expires_at: new Date(now + limits.sessionTransferSeconds.value * 1000).toISOString(),
      })
    })
    return { code, url: baseUrls[otherProduct(product)] + redeemTransferPage(code) }
  })

  bind(redeemSessionTransferEndpoint, async ({ product, body, client, signIn, setSession }) => {
    await limitRedemptions(client.address, body.code)
    const redemption = { code: body.code, flow: signIn.read(), product }
    setSession(await redeemSessionTransfer(redemption, client, { accounts, clock }))
    return { signed_in: true as const }
  })
}

function otherProduct(product: Product): Product {
  return product === 'chat' ? 'tracing' : 'chat'
}
