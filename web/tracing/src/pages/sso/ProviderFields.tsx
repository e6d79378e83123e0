import type { MutationForm } from '@assay/account/form/use-mutation-form.ts'
import type { SsoConfig } from '@assay/contract/sso.ts'
import { PasswordInput, Textarea, TextInput } from '@mantine/core'
import styles from './sso.module.css'
import { keepsSecret, type SsoDraft } from './sso-draft.ts'

interface Props {
  readonly form: MutationForm<SsoDraft>
  readonly config: SsoConfig | null
}

/** An identifier, which is neither completed nor spell-checked. */
const verbatim = { required: true, autoComplete: 'off', spellCheck: false } as const

/** The settings of the identity provider. */
export function ProviderFields({ form, config }: Props) {
  return (
    <div className={styles.fields}>
      {form.values.protocol === 'oidc' ? (
        <OidcFields form={form} config={config} />
      ) : (
        <SamlFields form={form} />
      )}
    </div>
  )
}

function OidcFields({ form: { values, field }, config }: Props) {
  const secretNote = keepsSecret(values, config)
    ? 'Stored. It cannot be shown again. Leave empty to keep it.'
    : config?.has_client_secret === true
      ? 'The stored secret belongs to the previous issuer. Enter the new one.'
      : 'Stored encrypted and never shown again. Optional for public clients.'
  return (
    <>
      <TextInput
        label="Issuer"
        description="The address of the provider. Its settings are read from /.well-known/openid-configuration below it."
        placeholder="https://login.example.org"
        type="url"
        required
        {...field('issuer')}
      />
      <TextInput label="Client ID" {...verbatim} {...field('client_id')} />
      <PasswordInput
        label="Client secret"
        description={secretNote}
        // `off` would let browsers enter a saved password.
        autoComplete="new-password"
        {...field('client_secret')}
      />
    </>
  )
}

function SamlFields({ form: { field } }: Pick<Props, 'form'>) {
  return (
    <>
      <TextInput
        label="Entity ID of the provider"
        description="Also called issuer."
        {...verbatim}
        {...field('idp_entity_id')}
      />
      <TextInput
        label="Sign-on URL"
        description="Where browsers are sent to sign in (HTTP redirect binding)."
        type="url"
        placeholder="https://login.example.org/sso/saml"
        required
        {...field('idp_sso_url')}
      />
      <Textarea
        label="Signing certificate"
        description="PEM. Add the next one below it before the provider changes its key."
        placeholder="-----BEGIN CERTIFICATE-----"
        rows={6}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...verbatim}
        {...field('idp_certificate')}
      />
    </>
  )
}
