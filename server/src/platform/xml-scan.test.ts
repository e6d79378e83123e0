import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findXmlProblem, type XmlBounds } from './xml-scan.ts'

const wide: XmlBounds = {
  maxNodes: 1000,
  maxDepth: 1000,
  maxAttributes: 1000,
  maxAttributesPerElement: 1000,
  maxNamespaces: 1000,
  maxNamespaceLength: 1000,
  maxPrefixes: 1000,
}
const scan = (xml: string, bounds: Partial<XmlBounds> = {}) =>
  findXmlProblem(xml, { ...wide, ...bounds })

interface Element {
  readonly attributes: readonly string[]
  readonly children: readonly (Element | string)[]
}

const { element } = fc.letrec<{ element: Element }>((tie) => ({
  element: fc.record({
    attributes: fc.uniqueArray(fc.constantFrom('a', 'b:c', 'xmlns:d', 'xmlns'), { maxLength: 4 }),
    children: fc.array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('text > text', '<!-- <a> -->', '&lt;a&gt;'),
        tie('element'),
      ),
      { maxLength: 4 },
    ),
  }),
}))

function toText({ attributes, children }: Element): string {
  const inner = children.map((child) => (typeof child === 'string' ? child : toText(child)))
  const given = attributes.map((name, at) => ` ${name}${at % 2 === 0 ? '="/>"' : " = '\"'"}`)
  const start = `<e:e${given.join('\n')}`
  return inner.length === 0 ? `${start} />` : `${start}>${inner.join('')}</e:e >`
}

interface Measured {
  readonly nodes: number
  readonly depth: number
  readonly attributes: number
  readonly attributesPerElement: number
}

function measured({ attributes, children }: Element): Measured {
  const below = children.filter((child) => typeof child !== 'string').map(measured)
  const comments = children.filter((child) => child === '<!-- <a> -->').length
  const sum = (of: (one: Measured) => number) => below.reduce((total, one) => total + of(one), 0)
  return {
    nodes: 1 + comments + sum(({ nodes }) => nodes),
    depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
    attributes: attributes.length + sum((one) => one.attributes),
    attributesPerElement: Math.max(
      attributes.length,
      ...below.map((one) => one.attributesPerElement),
    ),
  }
}

describe('the check of XML before it is parsed', () => {
  test('refuses exactly what exceeds the number of nodes or attributes, or the depth', () => {
    fc.assert(
      fc.property(element, (root) => {
        const { nodes, depth, attributes, attributesPerElement } = measured(root)
        const xml = toText(root)
        const exact = {
          maxNodes: nodes,
          maxDepth: depth,
          maxAttributes: attributes,
          maxAttributesPerElement: attributesPerElement,
        }
        expect(scan(xml, exact)).toBeUndefined()
        expect(scan(xml, { ...exact, maxNodes: nodes - 1 })).toMatch(/elements and comments$/)
        expect(scan(xml, { ...exact, maxDepth: depth - 1 })).toMatch(/^nested deeper than/)
        if (attributes === 0) return
        expect(scan(xml, { ...exact, maxAttributes: attributes - 1 })).toMatch(/attributes$/)
        const maxAttributesPerElement = attributesPerElement - 1
        expect(scan(xml, { ...exact, maxAttributesPerElement })).toMatch(/on an element$/)
      }),
    )
  })

  test('counts a repeated namespace declaration once', () => {
    const xml = `<a xmlns:b="u" xmlns="v">${'<b xmlns:b="u"/>'.repeat(10)}</a>`
    expect(scan(xml, { maxNamespaces: 2 })).toBeUndefined()
    expect(scan(xml, { maxNamespaces: 1 })).toBe('more than 1 namespaces')
    expect(scan('<a xmlns:b="u"><c xmlns:b="v"/></a>', { maxNamespaces: 1 })).toBeDefined()
    expect(scan('<a xmlns="1234"/>', { maxNamespaceLength: 4 })).toBeUndefined()
    expect(scan("<a xmlns:b='12345'/>", { maxNamespaceLength: 4 })).toBe(
      'a namespace longer than 4 characters',
    )
  })

  test.each([
    ['three prefixes', 'PrefixList="a b c"'],
    ['with a namespace prefix', 'x:PrefixList="a b c"'],
    ['repeated separators', 'PrefixList="a  b"'],
    ['line breaks', 'PrefixList="a\nb\tc"'],
    ['a reference to a space', 'PrefixList="a&#32;b"'],
  ])('refuses a PrefixList with %s', (_what, attribute) => {
    expect(scan(`<a ${attribute}/>`, { maxPrefixes: 2 })).toBe(
      'a PrefixList of more than 2 prefixes',
    )
  })

  test.each([
    ['a DOCTYPE', '<!DOCTYPE a><a/>'],
    ['an entity declaration', '<!DOCTYPE a [<!ENTITY b "c">]><a/>'],
    ['a CDATA section', '<a><![CDATA[<b>]]></a>'],
    ['a processing instruction', '<a><?b c?></a>'],
    ['an XML declaration that is not first', '<a/><?xml version="1.0"?>'],
    ['an attribute without quotes', '<a b=c/>'],
    ['an attribute without a value', '<a b/>'],
    ['attributes without a space between them', '<a b="c"d="e"/>'],
    ['an opening bracket in a value', '<a b="<"/>'],
    ['a space before the name', '< a/>'],
    ['a name that is not ASCII', '<ä/>'],
    ['a closing tag with more than a name', `<a></a${' '.repeat(1000)}b>`],
    ['the closing tag of another element', '<a><b></a></b>'],
    ['a closing tag without an element', '<a/></a>'],
    ['an element that is not closed', '<a><b></b>'],
    ['a tag that is not closed', '<a b="c"'],
    ['a comment that is not closed', '<a/><!-- '],
    ['no element', 'text'],
  ])('refuses %s', (_what, xml) => {
    expect(scan(xml)).toBeTypeOf('string')
  })

  test('accepts an XML declaration at the start', () => {
    expect(scan('<?xml version="1.0" encoding="UTF-8"?>\n<a/>\n<!-- -->')).toBeUndefined()
  })
})
