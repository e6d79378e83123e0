import { Form } from '@assay/account/form/Form.tsx'
import { FormFooter } from '@assay/account/form/FormFooter.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { type readSsoService, type SsoConfig, writeSsoConfig } from '@assay/contract/sso.ts'
import { Alert, SegmentedControl } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { useWriteSso } from '../../api/sso.ts'
import { CopyFact } from '../../page/CopyFact.tsx'
import page from '../../page/page.module.css'
import { DomainFields } from './DomainFields.tsx'
import { DomainList } from './DomainList.tsx'
import { EnforceSwitch } from './EnforceSwitch.tsx'
import { ProviderFields } from './ProviderFields.tsx'
import { RemoveSso } from './RemoveSso.tsx'
import { Step } from './Step.tsx'
import styles from './sso.module.css'
import { changesTrust, type SsoDraft, toDraft, toSsoConfigInput } from './sso-draft.ts'
import { TestSignIn } from './TestSignIn.tsx'

type Service = DataOf<typeof readSsoService>

interface Props {
  readonly orgId: string
  readonly config: SsoConfig | null
  readonly service: Service
  /** Outlives this component, which is replaced after saving. */
  readonly writing: ReturnType<typeof useWriteSso>
}

/** From the first value to copy to the switch that requires single sign-on. */
export function SsoSteps({ orgId, config, service, writing }: Props) {
  const wasEnforced = config?.enforced === true
  const form = useMutationForm({
    endpoint: writeSsoConfig,
    initialValues: toDraft(config),
    toBody: (draft: SsoDraft) =>
      toSsoConfigInput(draft, wasEnforced && !changesTrust(draft, config)),
    mutation: writing,
  })
  const { values, isDirty } = form
  const waitsForSave = config === null ? 'Save the configuration first.' : undefined
  return (
    <>
      <Form form={form}>
        <ol className={styles.steps}>
          <Step title="Add Assay to your identity provider">
            <SegmentedControl
              aria-label="Protocol"
              {...form.field('protocol')}
              data={[
                { value: 'oidc', label: 'OpenID Connect' },
                { value: 'saml', label: 'SAML 2.0' },
              ]}
            />
            <ServiceValues protocol={values.protocol} service={service} />
          </Step>
          <Step title="Add your identity provider to Assay">
            <ProviderFields form={form} config={config} />
          </Step>
          <Step title="Domains and role">
            <DomainFields form={form} />
            {wasEnforced && changesTrust(values, config) && (
              <Alert color="orange" p="xs" icon={<IconInfoCircle size={16} />}>
                These changes need a new test. After saving, single sign-on is no longer required,
                and people who signed in with it are signed out. Test the sign-in and require it
                again.
              </Alert>
            )}
            <FormFooter
              form={form}
              submitLabel={config === null ? 'Save' : 'Save changes'}
              isSettings
            />
          </Step>
        </ol>
      </Form>
      <ol className={styles.steps} data-continued>
        <Step title="Verify your domains" waitsFor={waitsForSave}>
          <DomainList orgId={orgId} domains={config?.domains ?? []} />
        </Step>
        <Step title="Test the sign-in" waitsFor={waitsForSave}>
          {config !== null && <TestSignIn orgId={orgId} config={config} isDirty={isDirty} />}
        </Step>
        <Step title="Require single sign-on" waitsFor={waitsForSave}>
          {config !== null && <EnforceSwitch orgId={orgId} config={config} isDirty={isDirty} />}
        </Step>
      </ol>
      {config !== null && <RemoveSso orgId={orgId} config={config} />}
    </>
  )
}

interface ServiceProps {
  readonly protocol: SsoDraft['protocol']
  readonly service: Service
}

/** The values to enter at the identity provider. */
function ServiceValues({ protocol, service: { oidc, saml } }: ServiceProps) {
  if (protocol === 'oidc') {
    return (
      <>
        <p className={page.note}>
          Create a web application (confidential client, authorization code) at the provider with
          this callback URL.
        </p>
        <dl className={page.facts}>
          <CopyFact name="Callback URL" value={oidc.callback_url} />
        </dl>
      </>
    )
  }
  return (
    <>
      <p className={page.note}>
        Create a SAML application at the provider. If it reads metadata, the metadata URL is enough.
        It has to sign the response, and to send the e-mail address as the name ID.
      </p>
      <dl className={page.facts}>
        <CopyFact name="Metadata URL" value={saml.metadata_url} />
        <CopyFact name="Entity ID (audience)" value={saml.sp_entity_id} />
        <CopyFact name="Reply URL (ACS)" value={saml.callback_url} />
      </dl>
    </>
  )
}
