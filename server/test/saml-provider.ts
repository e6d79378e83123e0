import { randomUUID } from 'node:crypto'
import { SignedXml } from 'xml-crypto'
import type { KeyAndCertificate } from './self-signed-certificate.ts'

/*
 * A SAML identity provider that issues responses, correct by default, with overrides for hostile ones.
 */

export interface ResponseFacts {
  readonly entityId: string
  /** Of the service. */
  readonly audience: string
  readonly consumer: string
  readonly requestId: string
  readonly subject: string
  readonly subjectFormat: string
  readonly attributes: Readonly<Record<string, string>>
  readonly issuedAt: Date
  readonly notBefore: Date
  readonly notOnOrAfter: Date
  readonly assertionId: string
  /** Override the values above. */
  readonly recipient: string
  readonly destination: string
  readonly responseIssuer: string
  readonly assertionIssuer: string
  readonly inResponseTo: string
  readonly subjectInResponseTo: string
  readonly status: string
  /** Inserted after the subject of the assertion. */
  readonly furtherStatements: string
}

export type KnownFacts = Pick<ResponseFacts, 'entityId' | 'audience' | 'consumer' | 'requestId'> &
  Partial<ResponseFacts>

const minuteMs = 60_000
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** An unsigned response. */
export function unsignedResponse(known: KnownFacts): string {
  const now = new Date()
  const facts: ResponseFacts = {
    subject: 'subject-1',
    subjectFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    attributes: { email: 'ana@corp.test', displayName: 'Ana Example' },
    issuedAt: now,
    notBefore: new Date(now.getTime() - minuteMs),
    notOnOrAfter: new Date(now.getTime() + 5 * minuteMs),
    assertionId: `_${randomUUID()}`,
    recipient: known.consumer,
    destination: known.consumer,
    responseIssuer: known.entityId,
    assertionIssuer: known.entityId,
    inResponseTo: known.requestId,
    subjectInResponseTo: known.requestId,
    status: success,
    furtherStatements: '',
    ...known,
  }
  return responseText(facts)
}

function responseText(facts: ResponseFacts): string {
  const issuedAt = facts.issuedAt.toISOString()
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${issuedAt}"${attribute('Destination', facts.destination)}${attribute('InResponseTo', facts.inResponseTo)}><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${facts.responseIssuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${facts.status}"/></samlp:Status>${assertionText(facts)}</samlp:Response>`
}

function attribute(name: string, value: string): string {
  return value === '' ? '' : ` ${name}="${value}"`
}

function assertionText(facts: ResponseFacts): string {
  const until = facts.notOnOrAfter.toISOString()
  const attributes = Object.entries(facts.attributes).map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
  )
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${facts.assertionId}" Version="2.0" IssueInstant="${facts.issuedAt.toISOString()}"><saml:Issuer>${facts.assertionIssuer}</saml:Issuer><saml:Subject><saml:NameID Format="${facts.subjectFormat}">${facts.subject}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${until}"${attribute('Recipient', facts.recipient)}${attribute('InResponseTo', facts.subjectInResponseTo)}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${facts.notBefore.toISOString()}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${facts.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${facts.issuedAt.toISOString()}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>${facts.furtherStatements}</saml:Assertion>`
}

export interface SigningOptions {
  readonly signatureAlgorithm?: string
  readonly digestAlgorithm?: string
  readonly canonicalization?: string
}

/** Signs the assertion or the response of a document, as providers do. */
export function signed(
  xml: string,
  what: 'Assertion' | 'Response',
  { privateKey, certificate }: KeyAndCertificate,
  options: SigningOptions = {},
): string {
  const {
    signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256',
    canonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#',
  } = options
  const signing = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm,
    canonicalizationAlgorithm: canonicalization,
  })
  const xpath = `//*[local-name(.)='${what}']`
  signing.addReference({
    xpath,
    digestAlgorithm,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonicalization],
  })
  const location = { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } as const
  signing.computeSignature(xml, { prefix: 'ds', location })
  return signing.getSignedXml()
}

/** As a browser posts it. */
export function encoded(xml: string): string {
  return Buffer.from(xml).toString('base64')
}
