import { email as emailShape } from '@assay/contract/fields.ts'
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { SsoConfigRow } from '../../storage/accounts/sso-tables.ts'
import { deriveRequestId } from './flow.ts'
import { examineResponse, isSuccess, namespaces, parsedXml } from './saml-document.ts'
import { untrusted } from './saml-text.ts'
import { type AssertedIdentity, SignInRefused } from './sign-in-refused.ts'
import type { ServiceAddresses } from './sso-config.ts'
import { listChildren, readPlainText, type XmlElement } from './xml.ts'

/*
 * SAML 2.0: requests by redirect, responses by POST. The library verifies signatures, audience and times; this file
 * checks what it does not. Only signed content is read.
 */

/** The parameters of one exchange. */
export interface SamlExchange {
  readonly config: SsoConfigRow
  readonly addresses: ServiceAddresses
  /** Sent as RelayState; the request id is derived from it. */
  readonly state: string
}

export interface SamlAssertion extends AssertedIdentity {
  /** The assertion's id, so that it is used once. */
  readonly id: string
}

/** Tolerated clock difference. */
const skewMs = 60_000

/** The URL to redirect the browser to. */
export function samlRequestUrl(exchange: SamlExchange): Promise<string> {
  const { entryPoint, saml } = library(exchange, false, false)
  return URL.canParse(entryPoint)
    ? saml.getAuthorizeUrlAsync(exchange.state, undefined, {})
    : Promise.reject(new Error('a SAML configuration without an address'))
}

/** The asserted identity, if `xml`, checked by `decodeResponse`, belongs to this exchange. Throws `SignInRefused`. */
export async function verifySamlResponse(
  exchange: SamlExchange,
  xml: string,
  now: Date,
): Promise<SamlAssertion> {
  const { root, isResponseSigned, isAssertionSigned } = examineResponse(xml)
  checkResponse(root, exchange)
  const { saml } = library(exchange, isResponseSigned, isAssertionSigned)
  // Encoded again, so that the library reads exactly the text that was checked.
  const SAMLResponse = Buffer.from(xml).toString('base64')
  const { profile } = await saml
    .validatePostResponseAsync({ SAMLResponse })
    .catch((cause: unknown) => {
      throw untrusted(cause instanceof Error ? cause.message : 'not valid', cause)
    })
  const signed = profile?.getAssertionXml?.()
  if (signed === undefined) throw untrusted('no signed assertion')
  return readAssertion(parsedXml(signed), exchange, now)
}

function library(
  { config, addresses, state }: SamlExchange,
  wantAuthnResponseSigned: boolean,
  wantAssertionsSigned: boolean,
): { readonly saml: SAML; readonly entryPoint: string } {
  const { idp_sso_url: entryPoint, idp_certificate: certificates } = config
  if (entryPoint === null || certificates === null) throw new Error('no SAML configuration')
  const requestId = deriveRequestId(state)
  const saml = new SAML({
    entryPoint,
    callbackUrl: addresses.samlConsumer,
    issuer: addresses.samlEntityId,
    audience: addresses.samlEntityId,
    idpCert: certificates.split(/(?<=-----END CERTIFICATE-----\n)/),
    wantAuthnResponseSigned,
    wantAssertionsSigned,
    acceptedClockSkewMs: skewMs,
    // Accepts any name ID format and any authentication method of the provider.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
    validateInResponseTo: ValidateInResponseTo.always,
    // The only request that this response may answer; the flow ensures that it answers once.
    cacheProvider: {
      saveAsync: () => Promise.resolve(null),
      getAsync: (id) => Promise.resolve(id === requestId ? new Date().toISOString() : null),
      removeAsync: () => Promise.resolve(null),
    },
  })
  return { saml, entryPoint }
}

/** The response element may be unsigned: it must not contradict the exchange, but proves nothing. */
function checkResponse(root: XmlElement, { config, addresses, state }: SamlExchange): void {
  if (!isSuccess(root)) throw new SignInRefused('refused', 'SAML response: the provider refused')
  const expected: readonly (readonly [string, string, string | null])[] = [
    ['Version', root.getAttribute('Version'), '2.0'],
    ['InResponseTo', root.getAttribute('InResponseTo'), deriveRequestId(state)],
    ['Destination', root.getAttribute('Destination'), addresses.samlConsumer],
    ['Issuer', readIssuer(root) ?? '', config.idp_entity_id],
  ]
  for (const [name, given, expectedValue] of expected) {
    if (given !== '' && given !== expectedValue)
      throw untrusted(`the ${name} of the response does not match`)
  }
}

function readIssuer(element: XmlElement): string | undefined {
  const [issuer, ...others] = listChildren(element, 'Issuer', namespaces.assertion)
  if (others.length > 0) throw untrusted('more than one Issuer')
  return issuer === undefined ? undefined : readPlainText(issuer)
}

function readAssertion(assertion: XmlElement, exchange: SamlExchange, now: Date): SamlAssertion {
  if (assertion.localName !== 'Assertion' || assertion.namespaceURI !== namespaces.assertion) {
    throw untrusted('the signed element is not an assertion')
  }
  const issuer = readIssuer(assertion)
  if (issuer === undefined || issuer !== exchange.config.idp_entity_id) {
    throw untrusted('the Issuer of the assertion does not match')
  }
  const id = assertion.getAttribute('ID')
  if (id === '' || id.length > 256) throw untrusted('the assertion has no id')
  const subject = only(assertion, 'Subject')
  const nameId = only(subject, 'NameID')
  refuseUnconfirmed(subject, exchange, now)
  refuseEndedSession(assertion, now)
  return { id, issuer, subject: parseSubject(nameId), ...readPerson(assertion, nameId) }
}

function only(parent: XmlElement, name: string): XmlElement {
  const [one, ...others] = listChildren(parent, name, namespaces.assertion)
  if (one === undefined || others.length > 0) throw untrusted(`not exactly one ${name}`)
  return one
}

const longestSubject = 1024
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

function parseSubject(nameId: XmlElement): string {
  if (nameId.getAttribute('Format') === transient) {
    throw untrusted('the NameID is transient and cannot identify a person again')
  }
  const subject = readPlainText(nameId)
  if (subject === undefined || subject.length > longestSubject) throw untrusted('no usable NameID')
  return subject
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** The subject must be confirmed for this service, now, and for this request. */
function refuseUnconfirmed(subject: XmlElement, exchange: SamlExchange, now: Date): void {
  for (const confirmation of listChildren(subject, 'SubjectConfirmation', namespaces.assertion)) {
    if (confirmation.getAttribute('Method') !== bearer) continue
    const data = only(confirmation, 'SubjectConfirmationData')
    const isForUs =
      data.getAttribute('Recipient') === exchange.addresses.samlConsumer &&
      data.getAttribute('InResponseTo') === deriveRequestId(exchange.state)
    const until = Date.parse(data.getAttribute('NotOnOrAfter'))
    const from = Date.parse(data.getAttribute('NotBefore') || '1970-01-01T00:00:00Z')
    const isNow = until + skewMs > now.getTime() && from - skewMs <= now.getTime()
    if (isForUs && isNow) return
  }
  throw untrusted('the subject is not confirmed for this request and recipient')
}

function refuseEndedSession(assertion: XmlElement, now: Date): void {
  const statements = listChildren(assertion, 'AuthnStatement', namespaces.assertion)
  if (statements.length === 0) throw untrusted('no AuthnStatement')
  for (const statement of statements) {
    const end = statement.getAttribute('SessionNotOnOrAfter')
    if (end !== '' && !(Date.parse(end) + skewMs > now.getTime())) {
      throw untrusted('the session at the provider has ended')
    }
  }
}

/** Attribute names of providers, in order of preference. */
const emailAttributes = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const nameAttributes = [
  'displayName',
  'name',
  'cn',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'urn:oid:2.5.4.3',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
]

function readPerson(
  assertion: XmlElement,
  nameId: XmlElement,
): Pick<AssertedIdentity, 'email' | 'name'> {
  const attributes = listChildren(assertion, 'AttributeStatement', namespaces.assertion).flatMap(
    (statement) => listChildren(statement, 'Attribute', namespaces.assertion),
  )
  const address = emailShape.safeParse(
    readValue(emailAttributes, attributes) ?? readPlainText(nameId),
  )
  if (!address.success) {
    throw new SignInRefused('no_address', 'SAML response: no e-mail address')
  }
  return { email: address.data, name: readValue(nameAttributes, attributes) ?? null }
}

function readValue(
  names: readonly string[],
  attributes: readonly XmlElement[],
): string | undefined {
  for (const name of names) {
    const named = attributes.filter((one) => one.getAttribute('Name') === name)
    const values = named.flatMap((one) => listChildren(one, 'AttributeValue', namespaces.assertion))
    const [value, ...others] = values
    if (value === undefined) continue
    const text = readPlainText(value)
    if (others.length > 0 || text === undefined) throw untrusted(`no single text for ${name}`)
    return text
  }
  return undefined
}
