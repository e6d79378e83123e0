import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import { deriveRequestId } from '../src/features/sso/flow.ts'
import type { SamlExchange } from '../src/features/sso/saml.ts'
import { openSamlVerifier } from '../src/features/sso/saml-verifier.ts'
import { serviceAddresses } from '../src/features/sso/sso-config.ts'
import type { SsoConfigRow } from '../src/storage/accounts/sso-tables.ts'
import { silent } from './accounts-database.ts'
import { encoded, type ResponseFacts, signed, unsignedResponse } from './saml-provider.ts'
import { selfSigned } from './self-signed-certificate.ts'

/*
 * One sign-in over SAML: the configuration, the request, and responses of its provider.
 */

const organizationId = '5f1f4a6e-0000-4000-8000-000000000001'
const entityId = 'https://idp.corp.test/saml'

export const provider = selfSigned('idp.corp.test')
export const addresses = serviceAddresses('https://assay.test', organizationId)
export const state = 'the state of this sign-in'

const config: SsoConfigRow = {
  id: randomUUID(),
  organization_id: organizationId,
  protocol: 'saml',
  issuer: null,
  client_id: null,
  client_secret: null,
  client_secret_set_at: null,
  idp_entity_id: entityId,
  idp_sso_url: 'https://idp.corp.test/sso?tenant=1',
  idp_certificate: provider.certificate,
  enforced: 0,
  default_role: 'Viewer',
  created_at: '',
  updated_at: '',
}
export const exchange: SamlExchange = { config, addresses, state }

/** The person in the responses. */
export const ana = {
  issuer: entityId,
  subject: 'subject-1',
  email: 'ana@corp.test',
  name: 'Ana Example',
}

export const response = (changes: Partial<ResponseFacts> = {}) =>
  unsignedResponse({
    entityId,
    audience: addresses.samlEntityId,
    consumer: addresses.samlConsumer,
    requestId: deriveRequestId(state),
    ...changes,
  })

export const validXml = (changes: Partial<ResponseFacts> = {}) =>
  signed(response(changes), 'Assertion', provider)

/** Verifies responses; registers a hook of the file. */
export function samlReader() {
  // The deadline has tests of its own, in deadline-process.test.ts and saml-sign-in.db.test.ts.
  const verifier = openSamlVerifier({ log: silent, deadlineMs: 60_000 })
  afterAll(() => verifier.close())
  const client = { owner: 'a network', signal: new AbortController().signal }
  const readEncoded = (posted: string, of: SamlExchange = exchange) =>
    verifier.verify(of, posted, new Date(), client)
  return {
    readEncoded,
    read: (xml: string, of?: SamlExchange) => readEncoded(encoded(xml), of),
  }
}
