import type { Product } from '@assay/contract/endpoint.ts'
import { toFailure } from '../../accounts/admission.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts } from '../../accounts/caller.ts'
import { hashOfToken } from '../../accounts/secret-token.ts'
import { continueSession, type NewSession } from '../../accounts/session.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'

interface Redemption {
  readonly code: string
  /** The secret from the cookie of the browser. */
  readonly flow: string | undefined
  /** The product that the session is transferred to. */
  readonly product: Product
}

/**
 * Creates another token for the code's session. Throws NOT_FOUND unless the code is valid and was issued
 * for this browser.
 */
export async function redeemSessionTransfer(
  { code, flow, product }: Redemption,
  client: ClientFacts,
  { accounts, clock }: { readonly accounts: Accounts; readonly clock: Clock },
): Promise<NewSession> {
  if (flow === undefined) throw notFound()
  return accounts.transaction(async (stores) => {
    const now = await stores.clock.now()
    const transfer = await stores.sessionTransfers.take(hashOfToken(code), hashOfToken(flow), now)
    if (transfer === undefined) throw notFound()
    const continued = await continueSession(transfer.session_id, stores, clock)
    if (continued === undefined) throw notFound()
    if (typeof continued === 'string') throw toFailure(continued)
    const { user, session } = continued
    await recordEvent(
      {
        action: 'session.handed_over',
        organizationId: null,
        targetId: user.id,
        details: { product },
      },
      userActor(user, client),
      clock.now().toISOString(),
      stores,
    )
    return session
  })
}

const notFound = () =>
  new Failure('NOT_FOUND', 'This code is not valid: it has expired or was already used.')
