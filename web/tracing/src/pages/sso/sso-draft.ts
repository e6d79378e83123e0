import type { SsoConfig } from '@assay/contract/sso.ts'
import type { SsoConfigInput } from '../../api/sso.ts'

/*
 * The single sign-on configuration in a form.
 */

export interface SsoDraft {
  readonly protocol: SsoConfig['protocol']
  readonly issuer: string
  readonly client_id: string
  /** Undefined keeps the stored one. */
  readonly client_secret: string | undefined
  readonly idp_entity_id: string
  readonly idp_sso_url: string
  readonly idp_certificate: string
  /** Separated by spaces or commas. */
  readonly domains: string
  readonly default_role: SsoConfig['default_role']
}

/** The values to edit; empty if nothing is configured. */
export function draftOf(config: SsoConfig | null): SsoDraft {
  return {
    protocol: config?.protocol ?? 'oidc',
    issuer: config?.issuer ?? '',
    client_id: config?.client_id ?? '',
    client_secret: undefined,
    idp_entity_id: config?.idp_entity_id ?? '',
    idp_sso_url: config?.idp_sso_url ?? '',
    idp_certificate: config?.idp_certificate ?? '',
    domains: config?.domains.map(({ domain }) => domain).join(', ') ?? '',
    default_role: config?.default_role ?? 'Viewer',
  }
}

/** The body to send, without members of the other protocol. */
export function toSsoConfigInput(draft: SsoDraft, enforced: boolean): SsoConfigInput {
  const rest = { domains: parseDomains(draft.domains), default_role: draft.default_role, enforced }
  if (draft.protocol === 'saml') {
    return {
      protocol: 'saml',
      idp_entity_id: draft.idp_entity_id,
      idp_sso_url: draft.idp_sso_url,
      idp_certificate: draft.idp_certificate,
      ...rest,
    }
  }
  const secret = draft.client_secret?.trim() ?? ''
  return {
    protocol: 'oidc',
    issuer: draft.issuer,
    client_id: draft.client_id,
    ...(secret === '' ? {} : { client_secret: secret }),
    ...rest,
  }
}

function parseDomains(text: string): string[] {
  return text.split(/[\s,;]+/).filter((domain) => domain !== '')
}

/** Whether the stored secret is kept. It is never sent to another issuer. */
export function reusesSecret(draft: SsoDraft, config: SsoConfig | null): boolean {
  return (
    config !== null &&
    config.has_client_secret &&
    draft.client_secret === undefined &&
    draft.protocol === 'oidc' &&
    draft.issuer.trim() === config.issuer
  )
}

/** Whether saving changes who is trusted, which requires another test. */
export function changesTrust(draft: SsoDraft, config: SsoConfig | null): boolean {
  if (config === null || draft.protocol !== config.protocol) return true
  if (draft.protocol === 'saml') {
    return (
      draft.idp_entity_id.trim() !== config.idp_entity_id ||
      draft.idp_sso_url.trim() !== config.idp_sso_url ||
      draft.idp_certificate.trim() !== config.idp_certificate?.trim()
    )
  }
  return (
    draft.issuer.trim() !== config.issuer ||
    draft.client_id.trim() !== config.client_id ||
    (draft.client_secret?.trim() ?? '') !== ''
  )
}

/** Whether anything is unsaved. */
export function isChanged(draft: SsoDraft, config: SsoConfig | null): boolean {
  const before = toSsoConfigInput(draftOf(config), false)
  return JSON.stringify(toSsoConfigInput(draft, false)) !== JSON.stringify(before)
}

/** Why single sign-on cannot be required yet; undefined if it can. */
export function enforceDisabledReason(
  config: SsoConfig | null,
  isDirty: boolean,
): string | undefined {
  if (config === null) return 'Save the configuration first.'
  if (isDirty) return 'Save your changes first.'
  if (config.domains.every(({ verified_at }) => verified_at === null)) {
    return 'Verify a domain first.'
  }
  return config.tested_at === null
    ? 'Complete the test sign-in yourself first, so that you are not locked out.'
    : undefined
}
