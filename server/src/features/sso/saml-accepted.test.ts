import { describe, expect, test } from 'vitest'
import {
  ana,
  exchange,
  provider,
  response,
  samlReader,
  validXml,
} from '../../../test/saml-exchange.ts'
import { signed } from '../../../test/saml-provider.ts'
import { selfSigned } from '../../../test/self-signed-certificate.ts'

const { read } = samlReader()
const nonMember = selfSigned('idp.evil.test')

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
    const both = {
      ...exchange.config,
      idp_certificate: nonMember.certificate + provider.certificate,
    }
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
