import type { SsoConfig } from '@assay/contract/sso.ts'
import { describe, expect, test } from 'vitest'
import {
  changesTrust,
  enforceDisabledReason,
  keepsSecret,
  type SsoDraft,
  toDraft,
  toSsoConfigInput,
} from './sso-draft.ts'

const at = '2026-05-01T08:00:00.000Z'
const oidc: SsoConfig = {
  id: '7b0ad6f0-1f0e-4c64-a4c7-000000000001',
  organization_id: '7b0ad6f0-1f0e-4c64-a4c7-000000000002',
  protocol: 'oidc',
  issuer: 'https://id.example.org',
  client_id: 'assay',
  has_client_secret: true,
  idp_entity_id: null,
  idp_sso_url: null,
  idp_certificate: null,
  domains: [
    { domain: 'example.org', verified_at: at, verified_by: 'dns', txt_record: 'a' },
    { domain: 'example.net', verified_at: null, verified_by: null, txt_record: 'b' },
  ],
  enforced: true,
  default_role: 'Viewer',
  callback_url: '',
  sp_entity_id: '',
  metadata_url: '',
  tested_at: at,
  created_at: at,
  updated_at: at,
}
const saml: SsoConfig = {
  ...oidc,
  protocol: 'saml',
  issuer: null,
  client_id: null,
  has_client_secret: false,
  idp_entity_id: 'idp',
  idp_sso_url: 'https://id.example.org/sso',
  idp_certificate: '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n',
}
const edited = (config: SsoConfig, change: Partial<SsoDraft>) => ({ ...toDraft(config), ...change })

describe('the body', () => {
  test('omits a secret that was not entered, which keeps the stored one', () => {
    expect(toSsoConfigInput(toDraft(oidc), true)).toEqual({
      protocol: 'oidc',
      issuer: 'https://id.example.org',
      client_id: 'assay',
      domains: ['example.org', 'example.net'],
      default_role: 'Viewer',
      enforced: true,
    })
  })

  test('has an entered secret without the whitespace around it', () => {
    const draft = edited(oidc, { client_secret: ' s3cret\n' })
    expect(toSsoConfigInput(draft, false)).toMatchObject({ client_secret: 's3cret' })
  })

  test('has no members of the other protocol', () => {
    const draft = edited(oidc, { protocol: 'saml', idp_entity_id: 'idp' })
    expect(Object.keys(toSsoConfigInput(draft, false))).not.toContain('issuer')
    expect(Object.keys(toSsoConfigInput(edited(saml, { protocol: 'oidc' }), false))).not.toContain(
      'idp_entity_id',
    )
  })

  test('has each domain, whatever separates them', () => {
    const draft = edited(oidc, { domains: ' a.org,b.org;\nc.org  d.org,' })
    expect(toSsoConfigInput(draft, false).domains).toEqual(['a.org', 'b.org', 'c.org', 'd.org'])
  })
})

describe('an empty field for a secret', () => {
  test.each([
    ['keeps the stored one', {}, true],
    ['keeps it when the client ID changes', { client_id: 'other' }, true],
    ['does not keep it for another issuer', { issuer: 'https://other.example.org' }, false],
    ['does not keep it for another protocol', { protocol: 'saml' as const }, false],
  ])('%s', (_situation, change, expected) => {
    expect(keepsSecret(edited(oidc, change), oidc)).toBe(expected)
  })

  test('keeps nothing where no secret is stored', () => {
    expect(keepsSecret(toDraft(null), null)).toBe(false)
    expect(keepsSecret(toDraft(oidc), { ...oidc, has_client_secret: false })).toBe(false)
  })
})

describe('a configuration must be tested again', () => {
  test.each([
    ['nothing changed: no', oidc, {}, false],
    ['other domains: no', oidc, { domains: 'b.org' }, false],
    ['another role: no', oidc, { default_role: 'Editor' as const }, false],
    ['whitespace in the field for a secret: no', oidc, { client_secret: ' ' }, false],
    ['another issuer', oidc, { issuer: 'https://b.example.org' }, true],
    ['another client', oidc, { client_id: 'b' }, true],
    ['another secret', oidc, { client_secret: 'b' }, true],
    ['another protocol', oidc, { protocol: 'saml' as const }, true],
    ['SAML unchanged: no', saml, {}, false],
    ['another certificate', saml, { idp_certificate: 'b' }, true],
    ['another address', saml, { idp_sso_url: 'https://b.example.org' }, true],
  ])('%s', (_situation, config, change, expected) => {
    expect(changesTrust(edited(config, change), config)).toBe(expected)
  })
})

describe('requiring single sign-on waits', () => {
  const unverified = oidc.domains.map((one) => ({ ...one, verified_at: null, verified_by: null }))
  test.each([
    ['for changes to be saved', oidc, true, /^Save your changes/],
    ['for a verified domain', { ...oidc, domains: unverified }, false, /^Verify a domain/],
    ['for a successful test', { ...oidc, tested_at: null }, false, /^Complete the test/],
  ])('%s', (_situation, config, isDirty, expected) => {
    expect(enforceDisabledReason(config, isDirty)).toMatch(expected)
  })

  test('for nothing more', () => {
    expect(enforceDisabledReason(oidc, false)).toBeUndefined()
  })
})
