import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'

/*
 * An OpenID Connect provider over HTTP, correct by default, whose responses a test can override.
 */

export const oidcClient = { id: 'assay', secret: 'canary-secret-of-the-client' } as const

export interface OidcAnswers {
  /** Members of the discovery document to replace. */
  readonly discovery: Readonly<Record<string, unknown>>
  /** Claims of the ID token to replace; undefined leaves one out. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly signature: 'right' | 'another key' | 'none' | 'client secret'
  /** Members of the token response to replace. */
  readonly token: Readonly<Record<string, unknown>>
  readonly userinfo: Readonly<Record<string, unknown>>
  /** Redirects every request to this URL. */
  readonly redirectTo: string | undefined
}

const rightly: OidcAnswers = {
  discovery: {},
  claims: {},
  signature: 'right',
  token: {},
  userinfo: {},
  redirectTo: undefined,
}

export interface TestOidcProvider {
  readonly issuer: string
  /** Overrides later responses; without arguments, all are correct again. */
  answer(changes?: Partial<OidcAnswers>): void
  /** Requested paths since the last override, and posted bodies. */
  readonly requests: readonly {
    readonly path: string
    readonly body: string
    readonly authorization: string
  }[]
  /** Acts as the browser at the provider: from the authorization URL to the callback parameters. */
  authorize(authorizationUrl: string, person?: Readonly<Record<string, unknown>>): URLSearchParams
  stop(): Promise<void>
}

export async function startOidcProvider(): Promise<TestOidcProvider> {
  const key = await generateKeyPair('RS256', { extractable: true })
  const another = await generateKeyPair('RS256', { extractable: true })
  const jwks = { keys: [{ ...(await exportJWK(key.publicKey)), kid: 'first', alg: 'RS256' }] }
  let responses = rightly
  const requests: { path: string; body: string; authorization: string }[] = []
  const codes = new Map<string, JWTPayload>()

  const idToken = async (claims: JWTPayload): Promise<string | undefined> => {
    const payload = withoutUndefined({ ...claims, ...responses.claims })
    if (responses.signature === 'none') return new UnsecuredJWT(payload).encode()
    if (responses.signature === 'client secret') {
      const shared = new TextEncoder().encode(oidcClient.secret)
      return await new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(shared)
    }
    const { privateKey } = responses.signature === 'right' ? key : another
    const signing = await importPKCS8(await exportPKCS8(privateKey), 'RS256')
    return await new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'first' })
      .sign(signing)
  }

  const served = async (path: string, body: string): Promise<unknown> => {
    switch (path) {
      case '/.well-known/openid-configuration':
        return { ...toDiscovery(issuer), ...responses.discovery }
      case '/jwks':
        return jwks
      case '/token': {
        const claims = codes.get(new URLSearchParams(body).get('code') ?? '') ?? {}
        const id_token = await idToken(claims)
        const token = { access_token: 'an access token', token_type: 'Bearer', id_token }
        return withoutUndefined({ ...token, ...responses.token })
      }
      case '/userinfo':
        return { sub: 'subject-1', ...responses.userinfo }
      default:
        return undefined
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const path = request.url ?? ''
    requests.push({ path, body, authorization: request.headers.authorization ?? '' })
    if (responses.redirectTo !== undefined) {
      response.writeHead(302, { location: responses.redirectTo }).end()
      return
    }
    const answer = await served(path, body)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const issuer = `http://127.0.0.1:${address.port}`

  return {
    issuer,
    requests,
    answer(changes = {}) {
      responses = { ...rightly, ...changes }
      requests.length = 0
    },
    authorize(authorizationUrl, person = {}) {
      const query = new URL(authorizationUrl).searchParams
      const code = `code-${codes.size}`
      const seconds = Math.floor(Date.now() / 1000)
      codes.set(code, {
        iss: issuer,
        sub: 'subject-1',
        aud: query.get('client_id') ?? '',
        iat: seconds,
        exp: seconds + 300,
        nonce: query.get('nonce'),
        email: 'ana@corp.test',
        name: 'Ana Example',
        ...person,
      })
      return new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer })
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function toDiscovery(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T
}
