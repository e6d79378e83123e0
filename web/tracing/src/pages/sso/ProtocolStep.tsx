import type { DataOf } from '@assay/contract/endpoint.ts'
import type { readSsoService } from '@assay/contract/sso.ts'
import { SegmentedControl } from '@mantine/core'
import { CopyValues } from './CopyValues.tsx'
import styles from './sso.module.css'
import type { SsoDraft } from './sso-draft.ts'

interface Props {
  readonly draft: SsoDraft
  readonly service: DataOf<typeof readSsoService>
  readonly onChange: (next: SsoDraft) => void
}

/** Which protocol, and what to enter at the identity provider for it. */
export function ProtocolStep({ draft, service, onChange }: Props) {
  const { protocol } = draft
  return (
    <>
      <SegmentedControl
        aria-label="Protocol"
        value={protocol}
        onChange={(value) => onChange({ ...draft, protocol: value === 'saml' ? 'saml' : 'oidc' })}
        data={[
          { value: 'oidc', label: 'OpenID Connect' },
          { value: 'saml', label: 'SAML 2.0' },
        ]}
      />
      {protocol === 'oidc' ? (
        <>
          <p className={styles.text}>
            Create a web application (confidential client, authorization code) at the provider, and
            enter this as the address that it sends people back to.
          </p>
          <CopyValues values={[['Callback URL', service.oidc.callback_url]]} />
        </>
      ) : (
        <>
          <p className={styles.text}>
            Create a SAML application at the provider. Where it reads metadata, the metadata URL is
            enough. Have it sign the response, and send the e-mail address as the name id.
          </p>
          <CopyValues
            values={[
              ['Metadata URL', service.saml.metadata_url],
              ['Entity id (audience)', service.saml.sp_entity_id],
              ['Reply URL (ACS)', service.saml.callback_url],
            ]}
          />
        </>
      )}
    </>
  )
}
