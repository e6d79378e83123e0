import type { Product } from '@assay/contract/endpoint.ts'
import {
  createHandOff,
  redeemHandOff as redeemHandOffEndpoint,
  startHandOff,
} from '@assay/contract/hand-off.ts'
import { limits } from '@assay/contract/limits.ts'
import { giveHandOffPage, takeHandOffPage } from '@assay/contract/page-links.ts'
import { hashOfToken, isToken, newToken } from '../../accounts/secret-token.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { redeemHandOff } from './redeem-hand-off.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly clock: Clock
  readonly baseUrls: Readonly<Record<Product, string>>
}

/** Time enough to sign in on the other host. */
const flowMs = 10 * 60_000

export function registerHandOff({ bind, accounts, clock, baseUrls }: Ports): void {
  bind(startHandOff, async ({ product, signIn }) => {
    const kept = signIn.read()
    // One that is there already ties something else to this browser, which must not break.
    const flow = kept !== undefined && isToken(kept) ? kept : newToken()
    signIn.write(flow, new Date(clock.now().getTime() + flowMs))
    const state = hashOfToken(flow)
    return { state, url: baseUrls[otherThan(product)] + giveHandOffPage(product, state) }
  })

  bind(createHandOff, async ({ product, caller, body }) => {
    const code = newToken()
    const now = Date.parse(await accounts.clock.now())
    await accounts.sessionTransfers.insert({
      code_hash: hashOfToken(code),
      session_id: caller.sessionId,
      flow_hash: body.state,
      expires_at: new Date(now + limits.handOffSeconds.value * 1000).toISOString(),
    })
    return { code, url: baseUrls[otherThan(product)] + takeHandOffPage(code) }
  })

  bind(redeemHandOffEndpoint, async ({ product, body, client, signIn, setSession }) => {
    const redemption = { code: body.code, flow: signIn.read(), product }
    setSession(await redeemHandOff(redemption, client, { accounts, clock }))
    return { signed_in: true as const }
  })
}

function otherThan(product: Product): Product {
  return product === 'chat' ? 'tracing' : 'chat'
}
