import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ana, provider, response, samlReader, validXml } from '../../../test/saml-exchange.ts'
import { signed } from '../../../test/saml-provider.ts'

const { read } = samlReader()

const many = (count: number, of: (at: number) => string, separator = '') =>
  Array.from({ length: count }, (_, at) => of(at)).join(separator)

const withStatement = (content: string) =>
  validXml().replace('</saml:AttributeStatement>', `${content}</saml:AttributeStatement>`)

const onRoot = (xml: string, attributes: string) =>
  xml.replace('<samlp:Response ', `<samlp:Response ${attributes} `)

function withPrefixList(count: number): string {
  const transform = '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"'
  const prefixes = many(count, (at) => `p${at}`, ' ')
  return validXml().replace(
    `${transform}/>`,
    `${transform}><ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${prefixes}"/></ds:Transform>`,
  )
}

/** Each would occupy the libraries for seconds to minutes. */
describe('a small response that is costly to process is refused before it is parsed:', () => {
  test.each<readonly [what: string, xml: () => string, reason: string]>([
    [
      'fifty thousand elements',
      () => withStatement('<a/>'.repeat(50_000)),
      'more than 1200 elements and comments',
    ],
    [
      'twenty thousand comments',
      () => withStatement('<!---->'.repeat(20_000)),
      'more than 1200 elements and comments',
    ],
    [
      'a thousand attributes on an element',
      () => withStatement(`<a ${many(1000, (at) => `a${at}=""`, ' ')}/>`),
      'more than 200 attributes on an element',
    ],
    [
      'ten thousand attributes on a hundred elements',
      () => withStatement(`<a ${many(100, (at) => `a${at}=""`, ' ')}/>`.repeat(100)),
      'more than 4000 attributes',
    ],
    [
      'three hundred namespaces',
      () =>
        withStatement(
          many(3, (from) => `<a ${many(100, (at) => `xmlns:p${from}.${at}="u"`, ' ')}/>`),
        ),
      'more than 200 namespaces',
    ],
    [
      'a long namespace that canonical XML repeats',
      () => onRoot(withStatement('<a p:b=""/>'.repeat(1000)), `xmlns:p="${'u'.repeat(100_000)}"`),
      'a namespace longer than 512 characters',
    ],
    [
      'a PrefixList of a thousand prefixes',
      () => withPrefixList(1000),
      'a PrefixList of more than 50 prefixes',
    ],
    [
      'a hundred levels',
      () => withStatement(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`),
      'nested deeper than 50 levels',
    ],
  ])('%s', async (_what, xml, reason) => {
    await expect(read(xml())).rejects.toMatchObject({
      problem: 'invalid_response',
      message: `SAML response: ${reason}`,
    })
  })
})

describe('a large response of a usual provider is accepted:', () => {
  const schemas =
    'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string"'
  const entraGroups = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups'
  test.each<readonly [what: string, statement: string]>([
    [
      'the 150 groups that Entra sends at most',
      `<saml:Attribute Name="${entraGroups}">${many(150, () => `<saml:AttributeValue>${randomUUID()}</saml:AttributeValue>`)}</saml:Attribute>`,
    ],
    [
      'a thousand groups of Okta, whose values repeat their namespaces',
      `<saml:Attribute Name="groups">${many(1000, (at) => `<saml:AttributeValue ${schemas}>Group ${at}</saml:AttributeValue>`)}</saml:Attribute>`,
    ],
    [
      'five hundred roles of Keycloak, an attribute each',
      many(
        500,
        (at) =>
          `<saml:Attribute FriendlyName="roles" Name="Role" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"><saml:AttributeValue ${schemas}>role-${at}</saml:AttributeValue></saml:Attribute>`,
      ),
    ],
  ])('%s', async (_what, statement) => {
    const xml = response().replace(
      '</saml:AttributeStatement>',
      `${statement}</saml:AttributeStatement>`,
    )
    expect(await read(signed(xml, 'Assertion', provider))).toMatchObject(ana)
  })
})
