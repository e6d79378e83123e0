import type { DataOf } from '@assay/contract/endpoint.ts'
import type { readSsoService, SsoConfig } from '@assay/contract/sso.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Alert, Button } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { useWriteSso } from '../../api/sso.ts'
import { fieldErrors } from '../../form/field-errors.ts'
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
import { changesTrust, draftOf, isChanged, toSsoConfigInput } from './sso-draft.ts'
import { TestSignIn } from './TestSignIn.tsx'

interface Props {
  readonly orgId: string
  readonly config: SsoConfig | null
  readonly service: DataOf<typeof readSsoService>
  /** Outlives this component, which begins anew with what was saved. */
  readonly writing: ReturnType<typeof useWriteSso>
}

const fieldNames = [
  'issuer',
  'client_id',
  'client_secret',
  'idp_entity_id',
  'idp_sso_url',
  'idp_certificate',
  'domains',
  'default_role',
]

/** From the first value to copy to the switch that makes single sign-on the only way in. */
export function SsoSteps({ orgId, config, service, writing }: Props) {
  const [draft, setDraft] = useState(() => draftOf(config))
  const errors = fieldErrors(writing.error, fieldNames)
  const isDirty = isChanged(draft, config)
  const isNewTrust = changesTrust(draft, config)
  const isLoosened = config?.enforced === true && isNewTrust
  const waitsForSave = config === null ? 'Once the configuration is saved.' : undefined
  const edit = { draft, config, errors: errors.fields, onChange: setDraft }
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const enforced = config?.enforced === true && !isNewTrust
          writing.mutate(toSsoConfigInput(draft, enforced))
        }}
      >
        <ol className={styles.steps}>
          <Step number={1} title="Tell your identity provider about Assay">
            <ProtocolStep draft={draft} service={service} onChange={setDraft} />
          </Step>
          <Step number={2} title="Tell Assay about your identity provider">
            <ProviderFields {...edit} />
          </Step>
          <Step number={3} title="Say who comes this way">
            <DomainFields {...edit} />
            {isLoosened && (
              <Alert color="orange" p="xs" icon={<IconInfoCircle size={16} />}>
                Saving this has others trusted than before: single sign-on is not enforced from then
                on, and whoever came in through it is signed out. Test it and enforce it again.
              </Alert>
            )}
            <FormError message={errors.rest} />
            <div className={page.line}>
              <Button type="submit" loading={writing.isPending} disabled={!isDirty}>
                {config === null ? 'Save' : 'Save changes'}
              </Button>
              <SavedMark isShown={writing.isSuccess && !isDirty} />
            </div>
          </Step>
        </ol>
      </form>
      <ol className={styles.steps} start={4} style={{ marginTop: 28 }}>
        <Step number={4} title="Show that the domains are yours" waitsFor={waitsForSave}>
          <DomainList orgId={orgId} domains={config?.domains ?? []} />
        </Step>
        <Step number={5} title="Test the sign-in" waitsFor={waitsForSave}>
          {config !== null && <TestSignIn orgId={orgId} config={config} isDirty={isDirty} />}
        </Step>
        <Step number={6} title="Make it the only way in" waitsFor={waitsForSave}>
          {config !== null && <EnforceSwitch orgId={orgId} config={config} isDirty={isDirty} />}
        </Step>
      </ol>
      {config !== null && <RemoveSso orgId={orgId} config={config} />}
    </>
  )
}
