import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ana, provider, response, samlReader, validXml } from '../../../test/saml-exchange.ts'
import { signed } from '../../../test/saml-provider.ts'
import { selfSigned } from '../../../test/self-signed-certificate.ts'
import { SignInRefused } from './sign-in-refused.ts'

const { read, readEncoded } = samlReader()
const nonMember = selfSigned('idp.evil.test')

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
const past = new Date(Date.now() - 600_000)
const future = new Date(Date.now() + 600_000)

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
      await expect(readEncoded(posted)).rejects.toBeInstanceOf(SignInRefused)
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
