import type { SsoConfig } from '@assay/contract/sso.ts'
import type { SsoConfigInput } from '../../api/sso.ts'

/*
 * The single sign-on configuration in a form.
 */

/** The fields that identify the provider, by protocol. */
const providerFields = {
  oidc: ['issuer', 'client_id'],
  saml: ['idp_entity_id', 'idp_sso_url', 'idp_certificate'],
} as const

type ProviderField = (typeof providerFields)[keyof typeof providerFields][number]

export interface SsoDraft extends Readonly<Record<ProviderField, string>> {
  readonly protocol: SsoConfig['protocol']
  /** Empty keeps the stored one. */
  readonly client_secret: string
  /** Separated by spaces or commas. */
  readonly domains: string
  readonly default_role: SsoConfig['default_role']
}

/** The values to edit; empty if nothing is configured. */
export function toDraft(config: SsoConfig | null): SsoDraft {
  return {
    protocol: config?.protocol ?? 'oidc',
    issuer: config?.issuer ?? '',
    client_id: config?.client_id ?? '',
    client_secret: '',
    idp_entity_id: config?.idp_entity_id ?? '',
    idp_sso_url: config?.idp_sso_url ?? '',
    idp_certificate: config?.idp_certificate ?? '',
    domains: config?.domains.map(({ domain }) => domain).join(', ') ?? '',
    default_role: config?.default_role ?? 'Viewer',
  }
}

/** The body to send, without members of the other protocol. */
export function toSsoConfigInput(draft: SsoDraft, enforced: boolean): SsoConfigInput {
  const { protocol, default_role } = draft
  const secret = protocol === 'oidc' ? draft.client_secret.trim() : ''
  return {
    protocol,
    ...Object.fromEntries(providerFields[protocol].map((name) => [name, draft[name]])),
    ...(secret === '' ? {} : { client_secret: secret }),
    domains: draft.domains.split(/[\s,;]+/).filter((domain) => domain !== ''),
    default_role,
    enforced,
  }
}

/** Whether an empty field keeps the stored secret. It is never sent to another issuer. */
export function keepsSecret({ protocol, issuer }: SsoDraft, config: SsoConfig | null): boolean {
  return (
    config?.has_client_secret === true && protocol === 'oidc' && issuer.trim() === config.issuer
  )
}

/** Whether saving changes who is trusted, which requires another test. */
export function changesTrust(draft: SsoDraft, config: SsoConfig | null): boolean {
  const { protocol } = draft
  if (config === null || protocol !== config.protocol) return true
  if (protocol === 'oidc' && draft.client_secret.trim() !== '') return true
  return providerFields[protocol].some((name) => draft[name].trim() !== config[name]?.trim())
}

/** Why single sign-on cannot be required yet; undefined if it can. */
export function enforceDisabledReason(
  { domains, tested_at }: Pick<SsoConfig, 'domains' | 'tested_at'>,
  isDirty: boolean,
): string | undefined {
  if (isDirty) return 'Save your changes first.'
  if (domains.every(({ verified_at }) => verified_at === null)) return 'Verify a domain first.'
  return tested_at === null
    ? 'Complete the test sign-in yourself first, so that you are not locked out.'
    : undefined
}
