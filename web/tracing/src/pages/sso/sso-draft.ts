import type { SsoConfig } from '@assay/contract/sso.ts'
import type { SsoConfigInput } from '../../api/sso.ts'

/*
 * The single sign-on as it is being edited: texts, until they are saved.
 */

export interface SsoDraft {
  readonly protocol: SsoConfig['protocol']
  readonly issuer: string
  readonly clientId: string
  /** Undefined: the stored one stays. */
  readonly clientSecret: string | undefined
  readonly idpEntityId: string
  readonly idpSsoUrl: string
  readonly idpCertificate: string
  /** As typed, with spaces or commas between. */
  readonly domains: string
  readonly defaultRole: SsoConfig['default_role']
}

/** What there is to edit; empty where nothing is configured. */
export function draftOf(config: SsoConfig | null): SsoDraft {
  return {
    protocol: config?.protocol ?? 'oidc',
    issuer: config?.issuer ?? '',
    clientId: config?.client_id ?? '',
    clientSecret: undefined,
    idpEntityId: config?.idp_entity_id ?? '',
    idpSsoUrl: config?.idp_sso_url ?? '',
    idpCertificate: config?.idp_certificate ?? '',
    domains: config?.domains.map(({ domain }) => domain).join(', ') ?? '',
    defaultRole: config?.default_role ?? 'Viewer',
  }
}

/** What to send, with nothing of the protocol that is not in use. */
export function toSsoConfigInput(draft: SsoDraft, enforced: boolean): SsoConfigInput {
  const rest = { domains: parseDomains(draft.domains), default_role: draft.defaultRole, enforced }
  if (draft.protocol === 'saml') {
    return {
      protocol: 'saml',
      idp_entity_id: draft.idpEntityId,
      idp_sso_url: draft.idpSsoUrl,
      idp_certificate: draft.idpCertificate,
      ...rest,
    }
  }
  const secret = draft.clientSecret?.trim() ?? ''
  return {
    protocol: 'oidc',
    issuer: draft.issuer,
    client_id: draft.clientId,
    ...(secret === '' ? {} : { client_secret: secret }),
    ...rest,
  }
}

function parseDomains(text: string): string[] {
  return text.split(/[\s,;]+/).filter((domain) => domain !== '')
}

/** Whether the stored secret goes on being used; another issuer never gets it. */
export function reusesSecret(draft: SsoDraft, config: SsoConfig | null): boolean {
  return (
    config !== null &&
    config.has_client_secret &&
    draft.clientSecret === undefined &&
    draft.protocol === 'oidc' &&
    draft.issuer.trim() === config.issuer
  )
}

/** Whether saving would have others trusted than now: it has to be tested again then. */
export function changesTrust(draft: SsoDraft, config: SsoConfig | null): boolean {
  if (config === null || draft.protocol !== config.protocol) return true
  if (draft.protocol === 'saml') {
    return (
      draft.idpEntityId.trim() !== config.idp_entity_id ||
      draft.idpSsoUrl.trim() !== config.idp_sso_url ||
      draft.idpCertificate.trim() !== config.idp_certificate?.trim()
    )
  }
  return (
    draft.issuer.trim() !== config.issuer ||
    draft.clientId.trim() !== config.client_id ||
    (draft.clientSecret?.trim() ?? '') !== ''
  )
}

/** Whether anything waits to be saved. */
export function isChanged(draft: SsoDraft, config: SsoConfig | null): boolean {
  const before = toSsoConfigInput(draftOf(config), false)
  return JSON.stringify(toSsoConfigInput(draft, false)) !== JSON.stringify(before)
}

/** Why single sign-on cannot be enforced yet; undefined when it can. */
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
    ? 'Get through the test sign-in yourself first: whoever enforces it must be able to come back in.'
    : undefined
}
