import type { SsoConfig } from '@assay/contract/sso.ts'
import { Textarea, TextInput } from '@mantine/core'
import type { MutationForm } from '../../form/use-mutation-form.ts'
import { SecretField } from './SecretField.tsx'
import styles from './sso.module.css'
import { reusesSecret, type SsoDraft } from './sso-draft.ts'

export interface EditProps {
  readonly form: MutationForm<SsoDraft>
  readonly config: SsoConfig | null
}

/** The settings of the identity provider. */
export function ProviderFields(props: EditProps) {
  const isOidc = props.form.values.protocol === 'oidc'
  return (
    <div className={styles.fields}>
      {isOidc ? <OidcFields {...props} /> : <SamlFields {...props} />}
    </div>
  )
}

function OidcFields({ form: { values, field, setValue }, config }: EditProps) {
  const secret = field('client_secret')
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
      <TextInput
        label="Client ID"
        required
        autoComplete="off"
        spellCheck={false}
        {...field('client_id')}
      />
      <SecretField
        isReused={reusesSecret(values, config)}
        canReuse={reusesSecret({ ...values, client_secret: undefined }, config)}
        isForAnother={config?.has_client_secret === true && values.issuer.trim() !== config.issuer}
        value={values.client_secret}
        error={secret.error}
        onChange={(value) => setValue('client_secret', value)}
      />
    </>
  )
}

function SamlFields({ form: { field } }: EditProps) {
  return (
    <>
      <TextInput
        label="Entity ID of the provider"
        description="Also called issuer."
        required
        autoComplete="off"
        spellCheck={false}
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
        required
        rows={6}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...field('idp_certificate')}
      />
    </>
  )
}
