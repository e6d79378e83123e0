import type { Accounts } from '../../storage/accounts/connect.ts'
import type { SsoFlowRow } from '../../storage/accounts/sso-tables.ts'
import type { SamlAssertion } from './saml.ts'
import { type AssertedIdentity, SignInRefused } from './sign-in-refused.ts'

/** Much longer than the lifetime of a flow. */
const rememberedMs = 86_400_000

/**
 * Stores an assertion until the browser continues. Each request is answered once, and each assertion used
 * once.
 */
export async function saveAssertion(
  flow: SsoFlowRow,
  { id, ...asserted }: SamlAssertion,
  accounts: Accounts,
): Promise<void> {
  const expiresAt = new Date(Date.parse(flow.expires_at) + rememberedMs)
  await accounts.transaction(async ({ ssoFlows }) => {
    const isFirstUse = await ssoFlows.useAssertion({
      sso_config_id: flow.sso_config_id,
      assertion_id: id,
      expires_at: expiresAt.toISOString(),
    })
    const isFirstResponse = await ssoFlows.saveAssertion(flow.state_hash, JSON.stringify(asserted))
    if (!isFirstUse || !isFirstResponse) {
      throw new SignInRefused('expired', 'the response was already used')
    }
  })
}

/** The stored assertion. Throws `SignInRefused` if there is none. */
export function loadAssertion({ asserted_identity }: SsoFlowRow): AssertedIdentity {
  if (asserted_identity === null)
    throw new SignInRefused('expired', 'no assertion is stored for this browser')
  return JSON.parse(asserted_identity) as AssertedIdentity
}
