import { limits } from '@assay/contract/limits.ts'
import { findXmlProblem, type XmlBounds } from '../../platform/xml-scan.ts'
import { SignInRefused } from './sign-in-refused.ts'

/*
 * Decodes a posted SAML response and checks its text, before any XML library reads it.
 */

const bounds: XmlBounds = {
  maxNodes: limits.samlNodes.value,
  maxDepth: limits.samlDepth.value,
  maxAttributes: limits.samlAttributes.value,
  maxAttributesPerElement: limits.samlAttributesPerElement.value,
  maxNamespaces: limits.samlNamespaces.value,
  maxNamespaceLength: limits.samlNamespaceLength.value,
  maxPrefixes: limits.samlPrefixes.value,
}

/** Throws `SignInRefused`. The returned XML is not verified. */
export function decodeResponse(encoded: string): string {
  const xml = decodeText(encoded)
  if (Buffer.byteLength(xml) > limits.samlResponseBytes.value) throw untrusted('too large')
  const problem = findXmlProblem(xml, bounds)
  if (problem !== undefined) throw untrusted(problem)
  return xml
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeText(encoded: string): string {
  // Some providers insert line breaks.
  const unbroken = encoded.replaceAll(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(unbroken)) throw untrusted('not Base64')
  try {
    return decoder.decode(Buffer.from(unbroken, 'base64'))
  } catch {
    throw untrusted('not UTF-8')
  }
}

export function untrusted(reason: string, cause?: unknown): SignInRefused {
  const options = cause === undefined ? {} : { cause }
  return new SignInRefused('invalid_response', `SAML response: ${reason}`, options)
}
