/*
 * Checks XML before it is parsed. Libraries that build a tree and search it with XPath take time that grows with the
 * square of what a document holds, so a small document can occupy them for minutes. One pass over the text bounds
 * that, and refuses what parsers read in different ways.
 */

export interface XmlBounds {
  /** Elements and comments together. */
  readonly maxNodes: number
  readonly maxDepth: number
  /** Namespace declarations are attributes, too. */
  readonly maxAttributes: number
  readonly maxAttributesPerElement: number
  /** Declarations that differ in prefix or URI: some providers repeat the same two on every value. */
  readonly maxNamespaces: number
  /** Canonical XML repeats a URI wherever its prefix is used. */
  readonly maxNamespaceLength: number
  /** Prefixes of a `PrefixList` of exclusive canonicalization. */
  readonly maxPrefixes: number
}

/**
 * Why the text is refused; undefined if it is within the bounds. Accepts elements, attributes, text, comments and one
 * XML declaration, with ASCII names only.
 */
export function findXmlProblem(xml: string, bounds: XmlBounds): string | undefined {
  try {
    scan(xml, bounds)
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

class Refused extends Error {}

const space = '[ \\t\\r\\n]'
const name = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const startOfTag = new RegExp(`<(${name})`, 'y')
const attribute = new RegExp(`${space}+(${name})${space}*=${space}*("[^"<]*"|'[^'<]*')`, 'y')
const endOfTag = new RegExp(`${space}*(/?)>`, 'y')
const closingTag = new RegExp(`</(${name})${space}*>`, 'y')
const declaration = /<\?xml[ \t\r\n][^<>?]*\?>/y

interface Counts {
  nodes: number
  attributes: number
  readonly namespaces: Set<string>
}

function scan(xml: string, bounds: XmlBounds): void {
  const counts: Counts = { nodes: 0, attributes: 0, namespaces: new Set() }
  const open: string[] = []
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
    if (xml.startsWith('<!--', at)) {
      at = findCommentEnd(xml, at)
      countNode(counts, bounds)
    } else if (xml.startsWith('<!', at)) {
      throw new Refused('a DOCTYPE, an entity or a CDATA section')
    } else if (xml.startsWith('<?', at)) {
      at = matchAt(declaration, xml, at === 0 ? 0 : xml.length, 'a processing instruction').end
    } else if (xml.startsWith('</', at)) {
      const { end, groups } = matchAt(closingTag, xml, at, 'a malformed tag')
      if (open.pop() !== groups[0]) throw new Refused('a closing tag without its element')
      at = end
    } else {
      const { end, groups } = matchAt(startOfTag, xml, at, 'a malformed tag')
      countNode(counts, bounds)
      open.push(groups[0] ?? '')
      if (open.length > bounds.maxDepth) {
        throw new Refused(`nested deeper than ${bounds.maxDepth} levels`)
      }
      const tagEnd = matchAt(
        endOfTag,
        xml,
        scanAttributes(xml, end, counts, bounds),
        'a malformed tag',
      )
      if (tagEnd.groups[0] === '/') open.pop()
      at = tagEnd.end
    }
  }
  if (open.length > 0 || counts.nodes === 0) throw new Refused('truncated')
}

interface Match {
  readonly groups: readonly (string | undefined)[]
  readonly end: number
}

function matchAt(pattern: RegExp, xml: string, at: number, otherwise: string): Match {
  const found = tryMatchAt(pattern, xml, at)
  if (found === undefined) throw new Refused(otherwise)
  return found
}

function tryMatchAt(pattern: RegExp, xml: string, at: number): Match | undefined {
  pattern.lastIndex = at
  const found = pattern.exec(xml)
  if (found === null) return undefined
  const [, ...groups] = found
  return { groups, end: pattern.lastIndex }
}

function findCommentEnd(xml: string, at: number): number {
  const end = xml.indexOf('-->', at + '<!--'.length)
  if (end === -1) throw new Refused('truncated')
  return end + '-->'.length
}

function countNode(counts: Counts, { maxNodes }: XmlBounds): void {
  counts.nodes += 1
  if (counts.nodes > maxNodes) throw new Refused(`more than ${maxNodes} elements and comments`)
}

function scanAttributes(xml: string, from: number, counts: Counts, bounds: XmlBounds): number {
  const { maxAttributes, maxAttributesPerElement } = bounds
  let at = from
  for (let count = 1; ; count += 1) {
    const found = tryMatchAt(attribute, xml, at)
    if (found === undefined) return at
    counts.attributes += 1
    if (count > maxAttributesPerElement) {
      throw new Refused(`more than ${maxAttributesPerElement} attributes on an element`)
    }
    if (counts.attributes > maxAttributes)
      throw new Refused(`more than ${maxAttributes} attributes`)
    const [attributeName = '', quoted = ''] = found.groups
    checkAttribute(attributeName, quoted.slice(1, -1), counts, bounds)
    at = found.end
  }
}

function checkAttribute(
  attributeName: string,
  value: string,
  { namespaces }: Counts,
  { maxNamespaces, maxNamespaceLength, maxPrefixes }: XmlBounds,
): void {
  if (attributeName.startsWith('xmlns')) {
    if (value.length > maxNamespaceLength) {
      throw new Refused(`a namespace longer than ${maxNamespaceLength} characters`)
    }
    namespaces.add(`${attributeName}=${value}`)
    if (namespaces.size > maxNamespaces) throw new Refused(`more than ${maxNamespaces} namespaces`)
  } else if (/(?:^|:)PrefixList$/.test(attributeName)) {
    // A reference could stand for further separators.
    const isTooLong = value.includes('&') || value.split(/[ \t\r\n]/).length > maxPrefixes
    if (isTooLong) throw new Refused(`a PrefixList of more than ${maxPrefixes} prefixes`)
  }
}
