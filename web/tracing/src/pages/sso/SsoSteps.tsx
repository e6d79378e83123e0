import type { DataOf } from '@assay/contract/endpoint.ts'
import { type readSsoService, type SsoConfig, writeSsoConfig } from '@assay/contract/sso.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Alert, Button } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { useWriteSso } from '../../api/sso.ts'
import { Form } from '../../form/Form.tsx'
import { useMutationForm } from '../../form/use-mutation-form.ts'
import page from '../../page/page.module.css'
import { SavedMark } from '../../page/SavedMark.tsx'
import { DomainFields } from './DomainFields.tsx'
import { DomainList } from './DomainList.tsx'
import { EnforceSwitch } from './EnforceSwitch.tsx'
import { ProtocolStep } from './ProtocolStep.tsx'
import { ProviderFields } from './ProviderFields.tsx'
import { RemoveSso } from './RemoveSso.tsx'
import { Step } from './Step.tsx'
import styles from './sso.module.css'
import { changesTrust, draftOf, isChanged, type SsoDraft, toSsoConfigInput } from './sso-draft.ts'
import { TestSignIn } from './TestSignIn.tsx'

interface Props {
  readonly orgId: string
  readonly config: SsoConfig | null
  readonly service: DataOf<typeof readSsoService>
  /** Outlives this component, which is replaced after saving. */
  readonly writing: ReturnType<typeof useWriteSso>
}

/** From the first value to copy to the switch that requires single sign-on. */
export function SsoSteps({ orgId, config, service, writing }: Props) {
  const wasEnforced = config?.enforced === true
  const form = useMutationForm({
    endpoint: writeSsoConfig,
    initialValues: draftOf(config),
    toBody: (draft: SsoDraft) =>
      toSsoConfigInput(draft, wasEnforced && !changesTrust(draft, config)),
    mutation: writing,
  })
  const isDirty = isChanged(form.values, config)
  const waitsForSave = config === null ? 'Save the configuration first.' : undefined
  return (
    <>
      <Form form={form}>
        <ol className={styles.steps}>
          <Step number={1} title="Add Assay to your identity provider">
            <ProtocolStep form={form} service={service} />
          </Step>
          <Step number={2} title="Add your identity provider to Assay">
            <ProviderFields form={form} config={config} />
          </Step>
          <Step number={3} title="Domains and role">
            <DomainFields form={form} />
            {wasEnforced && changesTrust(form.values, config) && (
              <Alert color="orange" p="xs" icon={<IconInfoCircle size={16} />}>
                These changes need a new test. After saving, single sign-on is no longer required,
                and people who signed in with it are signed out. Test the sign-in and require it
                again.
              </Alert>
            )}
            <FormError message={form.error} />
            <div className={page.line}>
              <Button type="submit" loading={form.isPending} disabled={!isDirty}>
                {config === null ? 'Save' : 'Save changes'}
              </Button>
              <SavedMark isShown={writing.isSuccess && !isDirty} />
            </div>
          </Step>
        </ol>
      </Form>
      <ol className={styles.steps} start={4} style={{ marginTop: 28 }}>
        <Step number={4} title="Verify your domains" waitsFor={waitsForSave}>
          <DomainList orgId={orgId} domains={config?.domains ?? []} />
        </Step>
        <Step number={5} title="Test the sign-in" waitsFor={waitsForSave}>
          {config !== null && <TestSignIn orgId={orgId} config={config} isDirty={isDirty} />}
        </Step>
        <Step number={6} title="Require SSO" waitsFor={waitsForSave}>
          {config !== null && <EnforceSwitch orgId={orgId} config={config} isDirty={isDirty} />}
        </Step>
      </ol>
      {config !== null && <RemoveSso orgId={orgId} config={config} />}
    </>
  )
}
