import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { inflateRawSync } from 'node:zlib'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { encoded, signed, unsignedResponse } from '../server/test/saml-provider.ts'
import { type KeyAndCertificate, selfSigned } from '../server/test/self-signed-certificate.ts'

/*
 * Identity providers with pages, for tests in a browser.
 */

export interface RunningProvider {
  readonly origin: string
  stop(): Promise<void>
}

export const oidcClient = { client_id: 'assay', client_secret: 'a secret for this journey' }

/** A certified provider with its default pages for sign-in and consent. */
export async function runOidcProvider(
  host: string,
  port: number,
  callbackUrl: string,
): Promise<RunningProvider> {
  const origin = `http://${host}:${port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }
  const provider = new Provider(origin, {
    clients: [{ ...oidcClient, redirect_uris: [callbackUrl] }],
    jwks: { keys: [key] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ['a key for this journey'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true, name: id.split('@')[0] ?? id }),
    }),
  })
  const answer = provider.callback()
  return await running(origin, port, (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
}

export interface SamlProvider extends RunningProvider {
  readonly entityId: string
  readonly certificate: string
  /** Forms that browsers were made to post. */
  readonly posted: readonly SamlForm[]
}

export interface SamlForm {
  readonly to: string
  readonly SAMLResponse: string
  readonly RelayState: string
}

/** Asks for an address and asserts any that is entered. */
export async function runSamlProvider(
  host: string,
  port: number,
  audience: string,
): Promise<SamlProvider> {
  const origin = `http://${host}:${port}`
  const entityId = `${origin}/metadata`
  const keys = selfSigned(host)
  const posted: SamlForm[] = []
  const provider = await running(origin, port, (request, response) => {
    const { searchParams } = new URL(request.url ?? '', origin)
    const email = searchParams.get('email')
    response.writeHead(200, { 'content-type': 'text/html' })
    if (email === null) {
      response.end(signInPage(searchParams))
      return
    }
    const form = responseTo(searchParams, email, { entityId, audience, keys })
    posted.push(form)
    response.end(postingPage(form))
  })
  return { ...provider, entityId, certificate: keys.certificate, posted }
}

function signInPage(query: URLSearchParams): string {
  return `<form><label>Address <input name="email"></label>
    ${hidden('SAMLRequest', query.get('SAMLRequest') ?? '')}
    ${hidden('RelayState', query.get('RelayState') ?? '')}
    <button>Sign in</button></form>`
}

/** A page that posts the form from its own site as soon as it loads. */
export function postingPage({ to, SAMLResponse, RelayState }: SamlForm): string {
  return `<form method="post" action="${to}">${hidden('SAMLResponse', SAMLResponse)}
    ${hidden('RelayState', RelayState)}</form><script>document.forms[0].submit()</script>`
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`
}

function responseTo(
  query: URLSearchParams,
  email: string,
  own: { entityId: string; audience: string; keys: KeyAndCertificate },
): SamlForm {
  const request = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString()
  const readAttribute = (name: string) => new RegExp(` ${name}="([^"]+)"`).exec(request)?.[1] ?? ''
  const consumer = readAttribute('AssertionConsumerServiceURL')
  const xml = unsignedResponse({
    ...{ entityId: own.entityId, audience: own.audience, consumer },
    requestId: readAttribute('ID'),
    subject: `subject of ${email}`,
    attributes: { email, displayName: email.split('@')[0] ?? email },
  })
  return {
    to: consumer,
    SAMLResponse: encoded(signed(xml, 'Assertion', own.keys)),
    RelayState: query.get('RelayState') ?? '',
  }
}

/** A hostile site. */
export async function runSite(
  host: string,
  port: number,
  page: () => string,
): Promise<RunningProvider> {
  return await running(`http://${host}:${port}`, port, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page())
  })
}

async function running(
  origin: string,
  port: number,
  listener: RequestListener,
): Promise<RunningProvider> {
  const server: Server = createServer(listener)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
