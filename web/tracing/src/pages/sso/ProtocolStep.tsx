import type { DataOf } from '@assay/contract/endpoint.ts'
import type { readSsoService } from '@assay/contract/sso.ts'
import { SegmentedControl } from '@mantine/core'
import { CopyValues } from './CopyValues.tsx'
import type { EditProps } from './ProviderFields.tsx'
import styles from './sso.module.css'

interface Props extends Pick<EditProps, 'form'> {
  readonly service: DataOf<typeof readSsoService>
}

/** The protocol, and the values to enter at the identity provider for it. */
export function ProtocolStep({ form: { values, field }, service }: Props) {
  return (
    <>
      <SegmentedControl
        aria-label="Protocol"
        {...field('protocol')}
        data={[
          { value: 'oidc', label: 'OpenID Connect' },
          { value: 'saml', label: 'SAML 2.0' },
        ]}
      />
      {values.protocol === 'oidc' ? (
        <>
          <p className={styles.text}>
            Create a web application (confidential client, authorization code) at the provider with
            this callback URL.
          </p>
          <CopyValues values={[['Callback URL', service.oidc.callback_url]]} />
        </>
      ) : (
        <>
          <p className={styles.text}>
            Create a SAML application at the provider. If it reads metadata, the metadata URL is
            enough. It has to sign the response, and to send the e-mail address as the name ID.
          </p>
          <CopyValues
            values={[
              ['Metadata URL', service.saml.metadata_url],
              ['Entity ID (audience)', service.saml.sp_entity_id],
              ['Reply URL (ACS)', service.saml.callback_url],
            ]}
          />
        </>
      )}
    </>
  )
}
