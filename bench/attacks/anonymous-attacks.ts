import { allEndpoints } from '@assay/contract/all.ts'
import { call } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  confirmPasswordReset,
  readSetup,
  requestPasswordReset,
  setUp,
  signIn,
  signUp,
} from '@assay/contract/sign-in.ts'
import {
  acceptSamlResponse,
  discoverSso,
  finishOidc,
  linkSso,
  readSsoConfig,
  startSso,
  testSsoConfig,
  writeSsoConfig,
} from '@assay/contract/sso.ts'
import { deriveRequestId } from '../../server/src/features/sso/flow.ts'
import { encoded, signed, unsignedResponse } from '../../server/test/saml-provider.ts'
import { selfSigned } from '../../server/test/self-signed-certificate.ts'
import type { Attack, Target } from './attack.ts'

/*
 * Attacks without credentials, from one network.
 */

const withBody = allEndpoints.filter(
  (one) => one.access.by === 'anonymous' && one.body !== undefined,
)
const password = 'a password of twenty'

export const anonymousAttacks: readonly Attack[] = [
  {
    name: 'unfinished-bodies',
    by: 'anonymous',
    endpoints: withBody,
    connections: 400,
    responds: [400],
    client: 'unfinished',
    requests: () => (_n, endpoint) => ({
      body: `{}${' '.repeat((endpoint.body?.maxBytes ?? 2) - 2)}`,
    }),
  },
  {
    name: 'pipelined-requests',
    by: 'anonymous',
    endpoints: [readSetup],
    connections: 200,
    responds: [200],
    client: 'pipelines',
    requests: () => () => ({}),
  },
  {
    name: 'setup-flood',
    by: 'anonymous',
    endpoints: [readSetup],
    connections: 64,
    responds: [200],
    requests: () => () => ({}),
  },
  {
    name: 'sign-in-flood',
    by: 'anonymous',
    endpoints: [signIn],
    connections: 64,
    responds: [401],
    requests: () => (n) => ({ body: { email: `person-${n}@example.org`, password } }),
  },
  {
    name: 'sign-up-flood',
    by: 'anonymous',
    endpoints: [signUp],
    connections: 64,
    responds: [409],
    requests: () => (n) => ({
      body: { email: `person-${n}@not-approved.example`, password, name: 'Person' },
    }),
  },
  {
    name: 'password-resets',
    by: 'anonymous',
    endpoints: [confirmPasswordReset, requestPasswordReset],
    connections: 64,
    responds: [404, 503],
    requests: () => (n, endpoint) => ({
      body:
        endpoint === confirmPasswordReset
          ? { token: `token-${n}`, password }
          : { email: `person-${n}@example.org` },
    }),
  },
  {
    name: 'setup-and-link',
    by: 'anonymous',
    endpoints: [setUp, linkSso],
    connections: 32,
    responds: [409, 404],
    requests: () => (n) => ({
      body: {
        ...{ token: `token-${n}`, email: 'person@example.org', password, name: 'Person' },
        ...{ organization_name: 'Organization', project_name: 'Project' },
      },
    }),
  },
  {
    name: 'sso-discovery',
    by: 'anonymous',
    endpoints: [discoverSso],
    connections: 64,
    responds: [200],
    requests: () => (n) => ({ body: { email: `person@domain-${n}.example` } }),
  },
  {
    name: 'sso-redirects',
    by: 'anonymous',
    endpoints: [startSso, finishOidc],
    connections: 32,
    responds: [303, 303],
    requests: () => (n) => ({
      query: { email: `person@domain-${n}.example`, state: `state-${n}`, code: 'code' },
    }),
  },
  {
    name: 'saml-responses',
    by: 'anonymous',
    endpoints: [acceptSamlResponse],
    connections: 64,
    responds: [303],
    requests: async (target) => {
      const bodies = await samlForms(target)
      return (n) => ({ body: bodies[n % bodies.length] ?? '' })
    },
  },
]

/**
 * Responses of an organization's own provider to as many sign-ins as a network may start, as large and with as many
 * elements as accepted. All have the same signed assertion, so the first one is accepted and the others are refused late.
 */
async function samlForms({
  api,
  organizationId: orgId,
  credentials,
  scale,
}: Target): Promise<string[]> {
  const provider = selfSigned('idp.example')
  const entityId = 'https://idp.example/saml'
  const config = {
    ...{
      protocol: 'saml' as const,
      idp_entity_id: entityId,
      idp_sso_url: 'https://idp.example/sso',
    },
    ...{ idp_certificate: provider.certificate, domains: ['attackers.example'] },
  }
  const as = { headers: credentials.admin }
  const params = { orgId }
  await call(api, writeSsoConfig, { params, body: config }, as)
  const saved = await call(api, readSsoConfig, { params }, as)
  const states: string[] = []
  for (let n = 0; n < Math.max(1, limits.ssoStarts.value * scale); n++) {
    const { start_url } = await call(api, testSsoConfig, { params, body: {} }, as)
    states.push(new URL(start_url).searchParams.get('RelayState') ?? '')
  }
  const [first = ''] = states
  const attributes = Array.from({ length: 500 }, (_, n) => [`attribute-${n}`, 'v'.repeat(200)])
  const unsigned = unsignedResponse({
    entityId,
    audience: saved?.sp_entity_id ?? '',
    consumer: saved?.callback_url ?? '',
    requestId: deriveRequestId(first),
    attributes: Object.fromEntries(attributes) as Record<string, string>,
  })
  const response = signed(unsigned, 'Assertion', provider)
  return states.map((state) => {
    // The one of the response element, which is not signed.
    const SAMLResponse = encoded(response.replace(deriveRequestId(first), deriveRequestId(state)))
    if (SAMLResponse.length > limits.samlResponseBytes.value)
      throw new Error('too large to be read')
    return new URLSearchParams({ SAMLResponse, RelayState: state }).toString()
  })
}
