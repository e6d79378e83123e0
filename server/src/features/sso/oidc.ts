import { email as emailShape } from '@assay/contract/fields.ts'
import * as openid from 'openid-client'
import type { Clock } from '../../platform/clock.ts'
import { type Outbound, OutboundFailed, OutboundRefused } from '../../platform/outbound-fetch.ts'
import { setNewest } from '../../platform/recent-entries.ts'
import { type SecretBox, SecretNotReadable } from '../../platform/secret-box.ts'
import type { SsoConfigRow } from '../../storage/accounts/sso-tables.ts'
import { deriveCodeVerifier, deriveNonce, type Flow } from './flow.ts'
import { refuseCostlyDocument, refuseLongUrls } from './oidc-documents.ts'
import { secretPlace } from './save-config.ts'
import { type AssertedIdentity, SignInRefused } from './sign-in-refused.ts'
import { toFingerprint } from './sso-config.ts'

/*
 * OpenID Connect: the code flow with PKCE, state and nonce. Every request goes through the outbound guard, and every ID
 * token's signature is verified, because a provider in a private network may use plain HTTP.
 */

export interface Oidc {
  /** Where to send the browser. Throws `SignInRefused` when the provider cannot be used. */
  authorizationUrl(request: OidcRequest, loginHint: string | undefined): Promise<string>
  /** The identity asserted by the provider, from the authorization response. Throws `SignInRefused`. */
  asserted(request: OidcRequest, response: OidcAnswer): Promise<AssertedIdentity>
}

export interface OidcRequest {
  readonly config: SsoConfigRow
  readonly flow: Flow
  readonly callbackUrl: string
}

/** The parameters of the authorization response. */
export type OidcAnswer = Readonly<
  Partial<Record<'state' | 'code' | 'iss' | 'error', string | undefined>>
>

export interface OidcPorts {
  readonly outbound: Outbound
  readonly box: SecretBox
  readonly clock: Clock
}

/** The discovery document is fetched again after this time. */
const cacheMs = 10 * 60_000
const maxCachedClients = 100

export function openOidc({ outbound, box, clock }: OidcPorts): Oidc {
  const clients = new Map<string, { client: Promise<openid.Configuration>; until: number }>()

  // By fingerprint, so that configurations never share an entry, and a changed one is discovered again.
  const findClient = (config: SsoConfigRow): Promise<openid.Configuration> => {
    const key = toFingerprint(config)
    const now = clock.monotonicMs()
    const found = clients.get(key)
    if (found !== undefined && now < found.until) return found.client
    const client = discovered(config, outbound, box)
    setNewest(clients, key, { client, until: now + cacheMs }, maxCachedClients)
    client.catch(() => clients.delete(key))
    return client
  }

  return {
    async authorizationUrl({ config, flow, callbackUrl }, loginHint) {
      const challenge = await openid.calculatePKCECodeChallenge(deriveCodeVerifier(flow))
      const url = await findClient(config)
        .then((client) =>
          openid.buildAuthorizationUrl(client, {
            redirect_uri: callbackUrl,
            scope: 'openid email profile',
            state: flow.state,
            nonce: deriveNonce(flow),
            code_challenge: challenge,
            code_challenge_method: 'S256',
            ...(loginHint === undefined ? {} : { login_hint: loginHint }),
          }),
        )
        .catch(asUnusable)
      return url.href
    },

    async asserted({ config, flow, callbackUrl }, response) {
      const client = await findClient(config).catch(asUnusable)
      const url = new URL(callbackUrl)
      for (const [name, value] of Object.entries(response)) {
        if (value !== undefined) url.searchParams.set(name, value)
      }
      const tokens = await openid
        .authorizationCodeGrant(client, url, {
          expectedState: flow.state,
          expectedNonce: deriveNonce(flow),
          pkceCodeVerifier: deriveCodeVerifier(flow),
          idTokenExpected: true,
        })
        .catch(asUnusable)
      const claims = tokens.claims()
      if (claims === undefined) throw new SignInRefused('invalid_response', 'there is no ID token')
      refuseForeignOrFuture(claims, config, clock.now())
      const person: PersonClaims =
        claims['email'] === undefined && client.serverMetadata().userinfo_endpoint !== undefined
          ? await openid.fetchUserInfo(client, tokens.access_token, claims.sub).catch(asUnusable)
          : claims
      return { issuer: claims.iss, subject: parseSubject(claims.sub), ...toPerson(person) }
    },
  }
}

async function discovered(
  config: SsoConfigRow,
  outbound: Outbound,
  box: SecretBox,
): Promise<openid.Configuration> {
  const { issuer, client_id, client_secret } = config
  if (issuer === null || client_id === null) throw new Error('an OIDC configuration without issuer')
  const authenticate: openid.ClientAuth =
    client_secret === null
      ? openid.None()
      : (server, client, body, headers) => {
          // Decrypted for each request and not cached.
          const secret = box.open(client_secret, secretPlace(config))
          const methods = server.token_endpoint_auth_methods_supported
          const isPosted = methods?.includes('client_secret_post') === true
          const authenticate = isPosted ? openid.ClientSecretPost : openid.ClientSecretBasic
          authenticate(secret)(server, client, body, headers)
        }
  const client = await openid.discovery(new URL(issuer), client_id, undefined, authenticate, {
    // oxlint-disable-next-line typescript/no-deprecated -- marked so as to stand out; where plain HTTP may go is decided by the guard
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
    [openid.customFetch]: async (url, { method, headers, body, signal }) =>
      refuseCostlyDocument(
        await outbound.fetch(url, { method, headers, signal, body: bodyText(body) }),
      ),
  })
  refuseLongUrls(client.serverMetadata())
  return client
}

function bodyText(body: openid.FetchBody): string | URLSearchParams | null {
  if (body === undefined || body === null) return null
  if (typeof body === 'string' || body instanceof URLSearchParams) return body
  throw new Error('a request body of a kind that the OIDC code flow does not send')
}

/** Tolerated clock difference. */
const skewMs = 60_000

/** What the library does not check: `azp` if there is one audience, and that the token was not issued in the future. */
function refuseForeignOrFuture(
  { azp, iat }: openid.IDToken,
  config: SsoConfigRow,
  now: Date,
): void {
  if (azp !== undefined && azp !== config.client_id) {
    throw new SignInRefused('invalid_response', 'the ID token was issued to another client')
  }
  if (iat * 1000 > now.getTime() + skewMs) {
    throw new SignInRefused('invalid_response', 'the ID token was issued in the future')
  }
}

type PersonClaims = Readonly<Record<string, unknown>>

function toPerson({
  email,
  email_verified,
  name,
}: PersonClaims): Pick<AssertedIdentity, 'email' | 'name'> {
  const address = emailShape.safeParse(email)
  // Many providers leave out `email_verified`; the domain is verified here in any case.
  const isDenied = ![undefined, true, 'true'].some((one) => one === email_verified)
  if (!address.success || isDenied) {
    throw new SignInRefused('no_address', 'the provider did not return a verified e-mail address')
  }
  return { email: address.data, name: typeof name === 'string' ? name : null }
}

const longestSubject = 512

function parseSubject(subject: string): string {
  if (subject !== '' && subject.length <= longestSubject) return subject
  throw new SignInRefused('invalid_response', 'the subject is empty or too long')
}

/** Maps errors of the library and of the outbound guard to problems. */
function asUnusable(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // An unreadable secret is not the provider's fault.
    if (cause instanceof SignInRefused || cause instanceof SecretNotReadable) throw cause
    if (cause instanceof OutboundRefused || cause instanceof OutboundFailed) {
      throw new SignInRefused('unreachable', `${cause.target}: ${cause.message}`, { cause })
    }
  }
  if (error instanceof openid.AuthorizationResponseError) {
    throw new SignInRefused('refused', `the provider responded with ${toErrorCode(error)}`, {
      cause: error,
    })
  }
  if (error instanceof openid.ResponseBodyError) {
    const reason = `the token endpoint answered: ${toErrorCode(error)}`
    throw new SignInRefused('invalid_response', reason, { cause: error })
  }
  if (!(error instanceof Error)) throw error
  throw new SignInRefused('invalid_response', error.message, { cause: error })
}

/** Error codes are short identifiers; anything else from the provider is not repeated. */
function toErrorCode({ error }: { readonly error: string }): string {
  return /^[a-z_]{1,64}$/.test(error) ? error : 'an error'
}
