import type { SsoConfig } from '@assay/contract/sso.ts'
import { Textarea, TextInput } from '@mantine/core'
import { SecretField } from './SecretField.tsx'
import styles from './sso.module.css'
import { reusesSecret, type SsoDraft } from './sso-draft.ts'

export interface EditProps {
  readonly draft: SsoDraft
  readonly config: SsoConfig | null
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (next: SsoDraft) => void
}

/** What the identity provider is known by. */
export function ProviderFields(props: EditProps) {
  return (
    <div className={styles.fields}>
      {props.draft.protocol === 'oidc' ? <OidcFields {...props} /> : <SamlFields {...props} />}
    </div>
  )
}

function OidcFields({ draft, config, errors, onChange }: EditProps) {
  return (
    <>
      <TextInput
        label="Issuer"
        description="The address of the provider; its settings are read from /.well-known/openid-configuration below it."
        placeholder="https://login.example.org"
        type="url"
        required
        value={draft.issuer}
        error={errors['issuer']}
        onChange={(event) => onChange({ ...draft, issuer: event.currentTarget.value })}
      />
      <TextInput
        label="Client id"
        required
        autoComplete="off"
        spellCheck={false}
        value={draft.clientId}
        error={errors['client_id']}
        onChange={(event) => onChange({ ...draft, clientId: event.currentTarget.value })}
      />
      <SecretField
        isReused={reusesSecret(draft, config)}
        canReuse={reusesSecret({ ...draft, clientSecret: undefined }, config)}
        isForAnother={config?.has_client_secret === true && draft.issuer.trim() !== config.issuer}
        value={draft.clientSecret}
        error={errors['client_secret']}
        onChange={(clientSecret) => onChange({ ...draft, clientSecret })}
      />
    </>
  )
}

function SamlFields({ draft, errors, onChange }: EditProps) {
  return (
    <>
      <TextInput
        label="Entity id of the provider"
        description="Also called issuer."
        required
        autoComplete="off"
        spellCheck={false}
        value={draft.idpEntityId}
        error={errors['idp_entity_id']}
        onChange={(event) => onChange({ ...draft, idpEntityId: event.currentTarget.value })}
      />
      <TextInput
        label="Sign-on URL"
        description="Where browsers are sent to sign in (HTTP redirect binding)."
        type="url"
        placeholder="https://login.example.org/sso/saml"
        required
        value={draft.idpSsoUrl}
        error={errors['idp_sso_url']}
        onChange={(event) => onChange({ ...draft, idpSsoUrl: event.currentTarget.value })}
      />
      <Textarea
        label="Signing certificate"
        description="PEM. Several may stand one after the other while the provider changes its key."
        placeholder="-----BEGIN CERTIFICATE-----"
        required
        rows={6}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={draft.idpCertificate}
        error={errors['idp_certificate']}
        onChange={(event) => onChange({ ...draft, idpCertificate: event.currentTarget.value })}
      />
    </>
  )
}
