import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { type Organization, updateOrganization } from '@assay/contract/organizations.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { TextInput } from '@mantine/core'
import { useRenameOrganization } from '../../api/organizations.ts'
import { CopyFact } from '../../page/CopyFact.tsx'
import { PageHead } from '../../page/PageHead.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import styles from '../../page/page.module.css'
import { useOrganization } from '../../shell/use-organization.ts'

/** The name of an organization, and its identifiers. */
export function GeneralPage() {
  const current = useOrganization()
  const { organization, can } = current
  return (
    <div className={styles.page}>
      <PageHead title="General" />
      <PermissionNote access={current} needs="manage_org_settings" to="change the name" />
      {can('manage_org_settings') && <NameForm organization={organization} />}
      <section className={styles.section} aria-label="Details">
        <Details organization={organization} />
      </section>
    </div>
  )
}

function NameForm({ organization }: { readonly organization: Organization }) {
  const form = useMutationForm({
    endpoint: updateOrganization,
    initialValues: { name: organization.name },
    mutation: useRenameOrganization(organization.id),
  })
  return (
    <Form form={form} submitLabel="Save" isSettings>
      <TextInput label="Name" required {...form.field('name')} />
    </Form>
  )
}

function Details({ organization }: { readonly organization: Organization }) {
  const { id, slug, created_at, role } = organization
  return (
    <dl className={styles.facts}>
      <CopyFact name="Slug" value={slug} />
      <CopyFact name="ID" value={id} />
      <dt>Created</dt>
      <dd>
        <TimeText at={created_at} withAge />
      </dd>
      <dt>Your role</dt>
      <dd>{role}</dd>
    </dl>
  )
}
