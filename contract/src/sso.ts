import { z } from 'zod'
import { fromMemory } from './anonymous-bounds.ts'
import { endpoint } from './endpoint.ts'
import {
  anonymousBody,
  appBody,
  email,
  id,
  inOrganization,
  limitedList,
  removed,
  returnPath,
  timestamp,
} from './fields.ts'

import { limits } from './limits.ts'

/*
 * Single sign-on: an organization's configuration, and the redirects of a browser through an identity provider.
 */

export const ssoDomain = z
  .object({
    domain: z.string(),
    verified_at: timestamp.nullable(),
    verified_by: z.enum(['dns', 'approval']).nullable(),
    txt_record: z.string().describe('TXT record to add to the DNS of the domain'),
  })
  .meta({ id: 'SsoDomain' })
export type SsoDomain = z.output<typeof ssoDomain>

const serviceSide = {
  callback_url: z.string().describe('redirect URL for the identity provider'),
  sp_entity_id: z.string().describe('SAML entity id of this service'),
  metadata_url: z.string().describe('where a SAML identity provider can fetch both'),
}

export const ssoConfig = z
  .object({
    id,
    organization_id: id,
    protocol: z.enum(['oidc', 'saml']),
    issuer: z.string().nullable().describe('OIDC'),
    client_id: z.string().nullable().describe('OIDC'),
    has_client_secret: z.boolean().describe('OIDC; the secret itself is never shown'),
    idp_entity_id: z.string().nullable().describe('SAML'),
    idp_sso_url: z.string().nullable().describe('SAML'),
    idp_certificate: z.string().nullable().describe('SAML; PEM, one or more'),
    domains: limitedList(ssoDomain, 'ssoDomains'),
    enforced: z.boolean(),
    default_role: z.enum(['Admin', 'Editor', 'Viewer']),
    ...serviceSide,
    tested_at: timestamp
      .nullable()
      .describe('when the caller last passed a test of the current configuration'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SsoConfig' })
export type SsoConfig = z.output<typeof ssoConfig>

const domainName = z
  .string()
  .trim()
  .toLowerCase()
  .max(limits.domainLength.value)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/,
    'must be a domain name such as example.org',
  )

/** A domain, as a name or as the object that a read returns. */
const domainInput = z.union([domainName, z.object({ domain: domainName })], {
  error: 'must be a domain name such as example.org',
})

const domainsInput = z
  .array(domainInput)
  .min(1, 'must have at least one domain')
  .max(limits.ssoDomains.value, `must have at most ${limits.ssoDomains.value} domains`)
  .transform((domains) => [
    ...new Set(domains.map((one) => (typeof one === 'string' ? one : one.domain))),
  ])

const text = (longest: number) => z.string().trim().min(1, 'must not be empty').max(longest)

const ssoConfigInput = z
  .object({
    protocol: z.enum(['oidc', 'saml']),
    issuer: text(1024).nullish().describe('OIDC; required there'),
    client_id: text(512).nullish().describe('OIDC; required there'),
    client_secret: text(1024)
      .nullish()
      .describe('OIDC; if absent, the stored secret is kept as long as the issuer is the same'),
    idp_entity_id: text(1024).nullish().describe('SAML; required there'),
    idp_sso_url: text(2048).nullish().describe('SAML; required there'),
    idp_certificate: text(20_000).nullish().describe('required for SAML; PEM, one or more'),
    domains: domainsInput.describe(
      `1 to ${limits.ssoDomains.value} domain names, or objects with \`domain\``,
    ),
    enforced: z.boolean().default(false),
    default_role: z
      .enum(['Admin', 'Editor', 'Viewer'], { error: 'must be Admin, Editor or Viewer' })
      .default('Viewer'),
  })
  .superRefine((input, context) => {
    for (const name of needed[input.protocol]) {
      if (typeof input[name] === 'string') continue
      context.addIssue({ code: 'custom', path: [name], message: 'is required' })
    }
  })

const needed = {
  oidc: ['issuer', 'client_id'],
  saml: ['idp_entity_id', 'idp_sso_url', 'idp_certificate'],
} as const

const managesSso = { by: 'session', of: 'organization', anyOf: ['manage_sso'] } as const
const tag = 'Single sign-on'

export const readSsoConfig = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/sso-config',
  tag,
  summary: 'Read the single sign-on configuration of an organization; null without one',
  access: managesSso,
  cost: 'cheap',
  params: inOrganization,
  success: { status: 200, data: ssoConfig.nullable() },
})

export const writeSsoConfig = endpoint({
  method: 'PUT',
  path: '/orgs/{orgId}/sso-config',
  tag,
  summary: 'Create or change the single sign-on configuration of an organization',
  description:
    'A change of the trusted provider ends the sessions that used the configuration. To enforce it, you must have passed a test of the current configuration, and at least one domain must be verified (else `CONFLICT`). An address of a private network is `VALIDATION_ERROR` 422 unless the operator has allowed it.',
  access: managesSso,
  cost: 'expensive',
  params: inOrganization,
  body: appBody(ssoConfigInput),
  success: { status: 200, data: ssoConfig },
  errors: ['CONFLICT', 'VALIDATION_ERROR 422'],
})

export const removeSsoConfig = endpoint({
  method: 'DELETE',
  path: '/orgs/{orgId}/sso-config',
  tag,
  summary: 'Remove single sign-on from an organization and end the sessions that used it',
  access: managesSso,
  cost: 'cheap',
  params: inOrganization,
  success: removed,
  errors: ['NOT_FOUND'],
})

export const readSsoService = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/sso-config/service',
  tag,
  summary: 'Read the values to enter at the identity provider',
  access: managesSso,
  cost: 'cheap',
  params: inOrganization,
  success: {
    status: 200,
    data: z.object({
      oidc: z.object({ callback_url: serviceSide.callback_url }),
      saml: z.object(serviceSide),
    }),
  },
})

export const verifySsoDomain = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/sso-config/domains/{domain}/verify',
  tag,
  summary: 'Verify that the organization owns a domain',
  description:
    'Looks for `txt_record` among the TXT records of the domain. Super admins can approve the domain without a lookup, for networks without public DNS. A domain belongs to one organization.',
  access: managesSso,
  cost: 'expensive',
  params: inOrganization.extend({ domain: z.string() }),
  query: z.object({
    method: z
      .enum(['dns', 'approval'])
      .optional()
      .describe(
        'only super admins can use `approval`, which is their default; the default of others is `dns`',
      ),
  }),
  success: { status: 200, data: ssoDomain },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR 422'],
})

export const testSsoConfig = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/sso-config/test',
  tag,
  summary: 'Start a test sign-in: the browser goes to `start_url` and returns to `return_to`',
  description:
    'On return, `sso_test` in the address has the outcome: `ok`, or a problem of the sign-in page. The test does not sign in. A provider that cannot be used is refused at once (`VALIDATION_ERROR` 422, with `details.target`).',
  access: managesSso,
  cost: 'expensive',
  params: inOrganization,
  body: appBody(z.object({ return_to: returnPath.default('/') })),
  success: { status: 200, data: z.object({ start_url: z.string() }) },
  errors: ['NOT_FOUND', 'VALIDATION_ERROR 422'],
})

export const discoverSso = endpoint({
  method: 'POST',
  path: '/auth/sso-discovery',
  tag,
  product: 'both',
  summary: 'Find out whether an e-mail address signs in through single sign-on',
  description: `Depends only on the domain: the response is the same whether or not the address has an account. At most ${limits.ssoDiscoveryPerMinute.value} requests per minute from one IPv4 address or IPv6 /64; invalid requests count too.`,
  access: {
    by: 'anonymous',
    bounds: { work: 'query', rowsRead: 3, rowsAdded: 1, rateLimit: 'discovery' },
  },
  cost: 'expensive',
  body: anonymousBody(z.object({ email })),
  success: {
    status: 200,
    data: z.object({
      sso: z.boolean(),
      start_url: z.string().optional(),
      enforced: z.boolean().optional(),
    }),
  },
  errors: ['RATE_LIMITED'],
})

/** An invalid query does not fail validation: the browser is redirected with a problem instead. */
const lenient = (longest: number) => z.string().max(longest).optional().catch(undefined)

const toAPage = { status: 303, data: z.string() } as const

export const startSso = endpoint({
  method: 'GET',
  path: '/auth/sso/start',
  tag,
  product: 'both',
  summary: 'Redirect a browser to the identity provider of an address',
  description:
    'Sign-in takes place on the host of the tracing product. `return_to` is a path there, also when the chat product is called: to return to the chat product, pass the path of a session transfer.',
  access: {
    by: 'anonymous',
    bounds: { work: 'provider', rowsRead: 3, rowsAdded: 1, rateLimit: 'starts' },
  },
  cost: 'expensive',
  query: z.object({
    email: lenient(limits.emailLength.value),
    return_to: returnPath.default('/').catch('/'),
  }),
  reply: 'redirect',
  success: toAPage,
})

export const finishOidc = endpoint({
  method: 'GET',
  path: '/auth/sso/callback/{orgId}',
  tag,
  product: 'both',
  summary: 'Redirect target for OpenID Connect providers',
  access: {
    by: 'anonymous',
    bounds: { work: 'provider', rowsRead: 3, rowsAdded: 1, rateLimit: 'starts' },
  },
  cost: 'expensive',
  params: inOrganization,
  query: z.object({
    state: lenient(256),
    code: lenient(8192),
    iss: lenient(1024),
    error: lenient(256),
  }),
  reply: 'redirect',
  success: toAPage,
})

export const acceptSamlResponse = endpoint({
  method: 'POST',
  path: '/auth/sso/acs/{orgId}',
  tag,
  product: 'both',
  summary: 'Assertion consumer service for SAML identity providers',
  access: {
    by: 'anonymous',
    bounds: { work: 'saml', rowsRead: 3, rowsAdded: 1, rateLimit: 'posts' },
  },
  cost: 'expensive',
  fromOtherSites: true,
  params: inOrganization,
  body: {
    as: 'form',
    // Base64 adds a third, and form encoding some more.
    maxBytes: 2 * limits.samlResponseBytes.value,
    schema: z.object({ SAMLResponse: z.string(), RelayState: z.string() }),
  },
  reply: 'redirect',
  success: toAPage,
})

export const finishSaml = endpoint({
  method: 'GET',
  path: '/auth/sso/complete/{orgId}',
  tag,
  product: 'both',
  summary: 'Finish a SAML sign-in in the browser that started it',
  access: {
    by: 'anonymous',
    bounds: { work: 'query', rowsRead: 3, rowsAdded: 1, rateLimit: 'starts' },
  },
  cost: 'cheap',
  params: inOrganization,
  query: z.object({ state: lenient(256) }),
  reply: 'redirect',
  success: toAPage,
})

export const linkSso = endpoint({
  method: 'POST',
  path: '/auth/sso/link',
  tag,
  product: 'both',
  summary: 'Connect an account to its identity provider, once, by its password',
  description:
    'After a sign-in that ended with `not_linked`, in the same browser and within ten minutes of its start: the password proves that the account belongs to the user. Sets the session cookie. Later sign-ins need only the provider.',
  access: {
    by: 'anonymous',
    bounds: { work: 'password', rowsRead: 5, rowsAdded: 0, rateLimit: 'address' },
  },
  cost: 'expensive',
  body: anonymousBody(z.object({ password: z.string() })),
  success: { status: 200, data: z.object({ return_to: z.string() }) },
  errors: ['UNAUTHORIZED', 'NOT_FOUND', 'RATE_LIMITED'],
})

export const readSamlMetadata = endpoint({
  method: 'GET',
  path: '/auth/sso/metadata/{orgId}',
  tag,
  product: 'both',
  summary: 'SAML metadata of this service: entity id and assertion consumer service',
  access: { by: 'anonymous', bounds: fromMemory },
  cost: 'cheap',
  params: inOrganization,
  reply: 'xml',
  success: { status: 200, data: z.string() },
  errors: ['NOT_FOUND'],
})
