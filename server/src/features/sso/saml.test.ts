import { createHash, randomUUID } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { silent } from '../../../test/accounts-database.ts'
import {
  encoded,
  type KnownFacts,
  type ResponseFacts,
  signed,
  unsignedResponse,
} from '../../../test/saml-provider.ts'
import { selfSigned } from '../../../test/self-signed-certificate.ts'
import type { SsoConfigRow } from '../../storage/accounts/tables.ts'
import { deriveRequestId } from './flow.ts'
import { type SamlExchange, samlRequestUrl } from './saml.ts'
import { samlMetadata } from './saml-metadata.ts'
import { openSamlVerifier } from './saml-verifier.ts'
import { SignInRefused } from './sign-in-refused.ts'
import { serviceAddresses } from './sso-config.ts'

// The deadline has tests of its own, in deadline-thread.test.ts and saml-sign-in.db.test.ts.
const verifier = openSamlVerifier({ log: silent, deadlineMs: 60_000 })
afterAll(() => verifier.close())

const provider = selfSigned('idp.corp.test')
const nonMember = selfSigned('idp.evil.test')
const addresses = serviceAddresses('https://assay.test', '5f1f4a6e-0000-4000-8000-000000000001')
const state = 'the state of this sign-in'
const minuteMs = 60_000

const config: SsoConfigRow = {
  id: randomUUID(),
  organization_id: '5f1f4a6e-0000-4000-8000-000000000001',
  protocol: 'saml',
  issuer: null,
  client_id: null,
  client_secret: null,
  client_secret_set_at: null,
  idp_entity_id: 'https://idp.corp.test/saml',
  idp_sso_url: 'https://idp.corp.test/sso?tenant=1',
  idp_certificate: provider.certificate,
  enforced: 0,
  default_role: 'Viewer',
  created_at: '',
  updated_at: '',
}
const exchange: SamlExchange = { config, addresses, state }

function facts(changes: Partial<ResponseFacts> = {}): KnownFacts {
  return {
    entityId: 'https://idp.corp.test/saml',
    audience: addresses.samlEntityId,
    consumer: addresses.samlConsumer,
    requestId: deriveRequestId(state),
    ...changes,
  }
}

const response = (changes: Partial<ResponseFacts> = {}) => unsignedResponse(facts(changes))
const validXml = (changes: Partial<ResponseFacts> = {}) =>
  signed(response(changes), 'Assertion', provider)
const read = (xml: string, of: SamlExchange = exchange) =>
  verifier.verify(of, encoded(xml), new Date())

const ana = {
  issuer: 'https://idp.corp.test/saml',
  subject: 'subject-1',
  email: 'ana@corp.test',
  name: 'Ana Example',
}

describe('a response is accepted', () => {
  test.each([
    ['with a signed assertion', validXml()],
    ['signed as a whole', signed(response(), 'Response', provider)],
    ['signed twice', signed(validXml(), 'Response', provider)],
    [
      'with SHA-512',
      signed(response(), 'Assertion', provider, {
        signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
        digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha512',
      }),
    ],
    [
      'whose envelope has neither issuer nor destination',
      validXml({ responseIssuer: '', destination: '' }),
    ],
    ['from a clock that is slightly ahead', validXml({ notBefore: new Date(Date.now() + 30_000) })],
    ['with an XML declaration', `<?xml version="1.0" encoding="UTF-8"?>\n${validXml()}`],
  ])('%s', async (_what, xml) => {
    expect(await read(xml)).toMatchObject(ana)
  })

  test('with one of several certificates, while a provider rotates them', async () => {
    const both = { ...config, idp_certificate: nonMember.certificate + provider.certificate }
    expect(await read(validXml(), { ...exchange, config: both })).toMatchObject(ana)
  })

  test("with the address in a usual attribute of providers, or in the subject's name", async () => {
    const mail = 'urn:oid:0.9.2342.19200300.100.1.3'
    expect(await read(validXml({ attributes: { [mail]: 'Ana@Corp.test' } }))).toMatchObject({
      email: 'Ana@Corp.test',
      name: null,
    })
    expect(await read(validXml({ attributes: {}, subject: 'ana@corp.test' }))).toMatchObject({
      subject: 'ana@corp.test',
      email: 'ana@corp.test',
    })
  })

  test("with a comment within the subject's name, which is read in full", async () => {
    const xml = validXml({ subject: 'ana@corp.test<!-- -->.evil.test' })
    expect(await read(xml)).toMatchObject({ subject: 'ana@corp.test.evil.test' })
  })
})

/** Moves the first signature elsewhere. */
function withoutSignature(xml: string): { rest: string; signature: string } {
  const signature = /<ds:Signature .*?<\/ds:Signature>/s.exec(xml)?.[0] ?? ''
  return { rest: xml.replace(signature, ''), signature }
}

function assertionIn(xml: string): string {
  return /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
}

const forged = (xml: string) =>
  xml.replaceAll('subject-1', 'subject-of-the-boss').replaceAll('ana@', 'boss@')

/** Known signature wrapping attacks: one assertion is verified and another one is read. */
const wrapped = {
  'the forged assertion before the signed one': () => {
    const right = validXml()
    const assertion = assertionIn(right)
    const evil = forged(withoutSignature(assertion).rest).replace(/ID="[^"]+"/, 'ID="_evil"')
    return right.replace(assertion, evil + assertion)
  },
  'the signed assertion inside the forged one': () => {
    const right = validXml()
    const assertion = assertionIn(right)
    const evil = forged(withoutSignature(assertion).rest)
      .replace(/ID="[^"]+"/, 'ID="_evil"')
      .replace('</saml:Issuer>', `</saml:Issuer>${assertion}`)
    return right.replace(assertion, evil)
  },
  'the signed assertion hidden in the signature of the forged one': () => {
    const right = validXml()
    const assertion = assertionIn(right)
    const { rest, signature } = withoutSignature(assertion)
    const holding = signature.replace(
      '</ds:Signature>',
      `<ds:Object>${rest}</ds:Object></ds:Signature>`,
    )
    const evil = forged(rest)
      .replace(/ID="[^"]+"/, 'ID="_evil"')
      .replace('</saml:Issuer>', `</saml:Issuer>${holding}`)
    return right.replace(assertion, evil)
  },
  'the signed response hidden in extensions of a forged one': () => {
    const right = signed(response(), 'Response', provider)
    const { rest, signature } = withoutSignature(right)
    return forged(rest)
      .replace(/ID="[^"]+"/, 'ID="_evil"')
      .replace(
        '<samlp:Status>',
        `${signature}<samlp:Extensions>${rest}</samlp:Extensions><samlp:Status>`,
      )
  },
  'two elements of the signed id': () => {
    const right = validXml()
    const assertion = assertionIn(right)
    return right.replace(
      assertion,
      `<samlp:Extensions>${forged(withoutSignature(assertion).rest)}</samlp:Extensions>${assertion}`,
    )
  },
} as const

function digestAltered(): string {
  const xml = forged(validXml())
  const { rest } = withoutSignature(assertionIn(xml))
  const digest = createHash('sha256').update(rest).digest('base64')
  return xml.replace('<ds:DigestValue>', `<ds:DigestValue><!--${digest}-->`)
}

function twoSignedInfos(): string {
  const xml = validXml()
  const info = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(xml)?.[0] ?? ''
  const other = info.replace(/<ds:DigestValue>.*?</, '<ds:DigestValue>AAAA<')
  return forged(xml).replace(info, other + info)
}

const entityBomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${'bcdefghi'
  .split('')
  .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefgh'[at]};`.repeat(10)}">`)
  .join('')}]>`

const sha1 = {
  signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
}
const past = new Date(Date.now() - 10 * minuteMs)
const future = new Date(Date.now() + 10 * minuteMs)

describe('a response is refused (CVE-2025-54369, CVE-2025-29774, CVE-2025-47949)', () => {
  test.each<readonly [what: string, xml: () => string]>([
    ['without a signature', () => response()],
    ['signed by another key', () => signed(response(), 'Assertion', nonMember)],
    ['with a second signature by another key', () => signed(validXml(), 'Response', nonMember)],
    ['with the subject changed after signing', () => forged(validXml())],
    [
      'with the envelope changed after signing',
      () =>
        signed(response(), 'Response', provider).replace('Version="2.0"', 'Version="2.0" a="b"'),
    ],
    ['with a comment in the digest', digestAltered],
    ['with two SignedInfo elements', twoSignedInfos],
    ['to another request', () => validXml({ requestId: '_another' })],
    ['to no request', () => validXml({ inResponseTo: '', subjectInResponseTo: '' })],
    ['whose envelope references no request', () => validXml({ inResponseTo: '' })],
    [
      'whose subject is confirmed for another request',
      () => validXml({ subjectInResponseTo: '_x' }),
    ],
    ['whose subject is confirmed for no request', () => validXml({ subjectInResponseTo: '' })],
    ['for another audience', () => validXml({ audience: 'https://other.test' })],
    ['that has expired', () => validXml({ notOnOrAfter: past })],
    ['that is not valid yet', () => validXml({ notBefore: future })],
    ['for another recipient', () => validXml({ recipient: 'https://other.test/acs' })],
    ['for no recipient', () => validXml({ recipient: '' })],
    ['for another destination', () => validXml({ destination: 'https://other.test/acs' })],
    ['of another issuer', () => validXml({ assertionIssuer: 'https://idp.evil.test' })],
    ['in an envelope of another issuer', () => validXml({ responseIssuer: 'https://evil.test' })],
    ['signed with SHA-1', () => signed(response(), 'Assertion', provider, sha1)],
    [
      'digested with SHA-1',
      () => signed(response(), 'Assertion', provider, { digestAlgorithm: sha1.digestAlgorithm }),
    ],
    ['with a DOCTYPE', () => `<!DOCTYPE a>${validXml()}`],
    ['with an entity bomb', () => entityBomb + validXml().replaceAll('ana@corp.test', '&i;')],
    [
      'with a CDATA section',
      () => validXml({ attributes: { email: '<![CDATA[ana@corp.test]]>' } }),
    ],
    [
      'with a processing instruction',
      () => validXml().replace('<samlp:Status>', '<?a b?><samlp:Status>'),
    ],
    [
      'with markup in its address',
      () => validXml({ attributes: { email: '<b>ana</b>@corp.test' } }),
    ],
    [
      'with two addresses',
      () =>
        validXml({
          attributes: {
            email: 'ana@corp.test</saml:AttributeValue><saml:AttributeValue>boss@corp.test',
          },
        }),
    ],
    [
      'with a transient subject',
      () => validXml({ subjectFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
    ],
    ['with markup in its subject', () => validXml({ subject: 'a<b/>' })],
    ['without a subject', () => validXml({ subject: '' })],
    [
      'of a session that has ended at the provider',
      () =>
        validXml({
          furtherStatements: `<saml:AuthnStatement AuthnInstant="${past.toISOString()}" SessionNotOnOrAfter="${past.toISOString()}"/>`,
        }),
    ],
    [
      'that is encrypted',
      () =>
        validXml().replace(
          /<saml:Assertion .*<\/saml:Assertion>/s,
          '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>',
        ),
    ],
    ['of several megabytes', () => validXml({ subject: 'x'.repeat(5_000_000) })],
    ['with twenty thousand unclosed levels', () => '<a>'.repeat(20_000)],
    ['with a hundred levels', () => `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`],
    [
      'with elements and prefixes named like members of objects',
      () =>
        validXml().replace(
          '</saml:AttributeStatement>',
          '<constructor/><__proto__/><toString:a valueOf:b=""/></saml:AttributeStatement>',
        ),
    ],
    ['truncated', () => validXml().slice(0, -40)],
    ['truncated within a value', () => validXml().slice(0, 60)],
    ['that is not XML', () => 'SAMLResponse'],
    ['that is empty', () => ''],
    ['that is HTML', () => '<html><body>Sign in</body></html>'],
    ...Object.entries(wrapped),
  ])('%s', async (_what, xml) => {
    await expect(read(xml())).rejects.toMatchObject({
      name: 'SignInRefused',
      problem: 'invalid_response',
    })
  })

  test('that is not Base64, or not text', async () => {
    for (const posted of ['', '%%%', Buffer.of(0xff, 0xfe, 0x3c).toString('base64'), '<a/>']) {
      await expect(verifier.verify(exchange, posted, new Date())).rejects.toBeInstanceOf(
        SignInRefused,
      )
    }
  })

  test('without an address, with its own problem', async () => {
    await expect(read(validXml({ attributes: {} }))).rejects.toMatchObject({
      problem: 'no_address',
    })
  })

  test('when the provider refuses, with its own problem', async () => {
    const responder = 'urn:oasis:names:tc:SAML:2.0:status:Responder'
    const refusal = response({ status: responder }).replace(
      /<saml:Assertion .*<\/saml:Assertion>/s,
      '',
    )
    for (const xml of [refusal, validXml({ status: responder })]) {
      await expect(read(xml)).rejects.toMatchObject({ problem: 'refused' })
    }
  })
})

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

test('an altered response is refused, or asserts the same identity', async () => {
  const right = validXml()
  const inserted = fc.constantFrom(
    ...['<', '>', '"', '/>', '&', '&#0;', '<!---->', '<a/>', 'saml:', 'boss@', '\u0000'],
    ...[' xmlns=""', ' xmlns:saml="u"', ' ID="a"', ' __proto__="a"', '<constructor:a/>'],
  )
  const position = fc.nat(right.length)
  const change = fc.record({ from: position, length: fc.nat(100), to: position, text: inserted })
  await fc.assert(
    fc.asyncProperty(change, fc.boolean(), async ({ from, length, to, text }, isCopy) => {
      const added = isCopy ? right.slice(from, from + length) : text
      const altered = right.slice(0, to) + added + right.slice(isCopy ? to : to + length)
      const outcome = await read(altered).catch((error: unknown) => error)
      if (!(outcome instanceof SignInRefused)) expect(outcome).toMatchObject(ana)
    }),
    { numRuns: 300 },
  )
})

describe('a request', () => {
  test('has the service, the callback and an id derived from the state', async () => {
    const url = new URL(await samlRequestUrl(exchange))
    expect(url.origin + url.pathname).toBe('https://idp.corp.test/sso')
    expect(url.searchParams.get('tenant')).toBe('1')
    expect(url.searchParams.get('RelayState')).toBe(state)
    const request = inflateRawSync(
      Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64'),
    ).toString()
    expect(request).toContain(`ID="${deriveRequestId(state)}"`)
    expect(request).toContain(`AssertionConsumerServiceURL="${addresses.samlConsumer}"`)
    expect(request).toContain(`>${addresses.samlEntityId}<`)
    expect(request).toContain('Destination="https://idp.corp.test/sso?tenant=1"')
  })

  test('matches the metadata', () => {
    const metadata = samlMetadata(addresses)
    expect(metadata).toContain(`entityID="${addresses.samlEntityId}"`)
    expect(metadata).toContain(`Location="${addresses.samlConsumer}"`)
  })
})
