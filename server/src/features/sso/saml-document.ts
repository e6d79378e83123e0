import { untrusted } from './saml-text.ts'
import { SignInRefused } from './sign-in-refused.ts'
import { listChildren, listElements, parseRoot, type XmlElement } from './xml.ts'

/*
 * Validates the structure of a SAML response before anything in it is trusted. Constructs that can hide
 * content are refused, so that the signature check and later code read the same content.
 */

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

/** All others are refused, in particular SHA-1 and transforms that exclude signed content. */
const algorithms: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    SignatureMethod: [
      'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    ],
    DigestMethod: [
      'http://www.w3.org/2001/04/xmlenc#sha256',
      'http://www.w3.org/2001/04/xmlenc#sha512',
    ],
    CanonicalizationMethod: [
      'http://www.w3.org/2001/10/xml-exc-c14n#',
      'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
    ],
    Transform: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
      'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
    ],
  }),
)

export interface ExaminedResponse {
  readonly root: XmlElement
  readonly isResponseSigned: boolean
  readonly isAssertionSigned: boolean
}

/** Throws `SignInRefused`. The returned content is not verified. */
export function examineResponse(xml: string): ExaminedResponse {
  const root = parsedXml(xml)
  if (root.localName !== 'Response' || root.namespaceURI !== namespaces.protocol) {
    throw untrusted('the root is not a Response')
  }
  const elements = listElements(root)
  const assertion = theAssertion(root, elements)
  const signatures = elements.filter(({ localName }) => localName === 'Signature')
  refuseMisplaced(signatures, root, assertion)
  for (const element of elements) refuseAlgorithm(element)
  refuseRepeatedIds(elements)
  return {
    root,
    isResponseSigned: signatures.some(({ parentNode }) => parentNode === root),
    isAssertionSigned: signatures.some(({ parentNode }) => parentNode === assertion),
  }
}

/** Throws `SignInRefused` for malformed XML. */
export function parsedXml(xml: string): XmlElement {
  const root = parseRoot(xml)
  if (root === undefined) throw untrusted('not well-formed')
  return root
}

function theAssertion(root: XmlElement, elements: readonly XmlElement[]): XmlElement {
  if (elements.some(({ localName }) => localName === 'EncryptedAssertion')) {
    throw untrusted('an encrypted assertion, which is not supported')
  }
  const [assertion, ...others] = elements.filter(({ localName }) => localName === 'Assertion')
  if (assertion === undefined || others.length > 0) {
    const isError = readStatus(root) !== success
    if (isError) throw new SignInRefused('refused', 'SAML response: the provider refused')
    throw untrusted('not exactly one assertion')
  }
  const isInPlace = assertion.parentNode === root && assertion.namespaceURI === namespaces.assertion
  if (!isInPlace) throw untrusted('the assertion is not a child of the response')
  return assertion
}

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

function readStatus(root: XmlElement): string | undefined {
  const status = listChildren(root, 'Status', namespaces.protocol)[0]
  const code = status && listChildren(status, 'StatusCode', namespaces.protocol)[0]
  return code?.getAttribute('Value')
}

export function isSuccess(root: XmlElement): boolean {
  return readStatus(root) === success
}

function refuseMisplaced(
  signatures: readonly XmlElement[],
  root: XmlElement,
  assertion: XmlElement,
): void {
  if (signatures.length === 0) throw untrusted('not signed')
  const parents = signatures.map(({ parentNode }) => parentNode)
  const isInPlace = parents.every((parent) => parent === root || parent === assertion)
  if (!isInPlace || new Set(parents).size < parents.length) {
    throw untrusted('a signature in an unexpected position')
  }
  for (const signature of signatures) {
    const hasObject = listElements(signature).some(({ localName }) => localName === 'Object')
    if (signature.namespaceURI !== namespaces.signature || hasObject) {
      throw untrusted('a signature with an unexpected structure')
    }
  }
}

function refuseAlgorithm(element: XmlElement): void {
  const allowed = algorithms.get(element.localName)
  if (allowed === undefined) return
  const algorithm = element.getAttribute('Algorithm')
  if (!allowed.includes(algorithm)) throw untrusted(`the ${element.localName} is not accepted`)
}

function refuseRepeatedIds(elements: readonly XmlElement[]): void {
  const ids = elements.flatMap((element) =>
    Array.from(element.attributes)
      .filter(({ name }) => /^(?:.*:)?id$/i.test(name))
      .map(({ value }) => value),
  )
  if (new Set(ids).size < ids.length) throw untrusted('a duplicate id')
}
