import { createRequire } from 'node:module'

/*
 * Parses XML into a tree, as far as SAML needs it.
 */

export interface XmlNode {
  readonly nodeType: number
  readonly nodeValue: string | null
  readonly parentNode: XmlNode | null
}

export interface XmlElement extends XmlNode {
  readonly localName: string
  readonly namespaceURI: string | null
  readonly childNodes: ArrayLike<XmlNode>
  readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>
  /** Empty when the attribute is missing. */
  getAttribute(name: string): string
  getElementsByTagName(name: '*'): ArrayLike<XmlElement>
}

interface Parser {
  parseFromString(
    text: string,
    type: 'text/xml',
  ): {
    readonly documentElement?: XmlElement | null
  }
}

type ErrorHandler = Readonly<Record<'warning' | 'error' | 'fatalError', (message: unknown) => void>>

// Required, not imported: its types would add the DOM types to the server.
const require = createRequire(import.meta.url)
const { DOMParser } = require('@xmldom/xmldom') as {
  DOMParser: new (options: { errorHandler: ErrorHandler }) => Parser
}

/** The root of a well-formed document; undefined for any other text. */
export function parseRoot(text: string): XmlElement | undefined {
  const fail = (message: unknown) => {
    throw new NotWellFormed(String(message))
  }
  const errorHandler = { warning: fail, error: fail, fatalError: fail }
  try {
    const document = new DOMParser({ errorHandler }).parseFromString(text, 'text/xml')
    return document.documentElement ?? undefined
  } catch (error) {
    if (error instanceof NotWellFormed) return undefined
    throw error
  }
}

class NotWellFormed extends Error {}

/** The element and all its descendants. */
export function listElements(root: XmlElement): readonly XmlElement[] {
  return [root, ...Array.from(root.getElementsByTagName('*'))]
}

export function listChildren(
  parent: XmlElement,
  name: string,
  namespace: string,
): readonly XmlElement[] {
  return Array.from(parent.childNodes)
    .filter((node): node is XmlElement => node.nodeType === elementNode)
    .filter(({ localName, namespaceURI }) => localName === name && namespaceURI === namespace)
}

const elementNode = 1
const textNode = 3

/** The text of an element without child elements and comments. */
export function readPlainText(element: XmlElement): string | undefined {
  const nodes = Array.from(element.childNodes)
  if (nodes.some(({ nodeType }) => nodeType !== textNode)) return undefined
  const text = nodes.map(({ nodeValue }) => nodeValue ?? '').join('')
  return text.trim() === '' ? undefined : text.trim()
}
