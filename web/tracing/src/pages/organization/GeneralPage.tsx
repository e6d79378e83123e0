import type { Organization } from '@assay/contract/organizations.ts'
import { CopyButton } from '@assay/ui/CopyButton.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRenameOrganization } from '../../api/organizations.ts'
import { fieldErrors } from '../../form/field-errors.ts'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { RoleNote } from '../../page/RoleNote.tsx'
import { SavedMark } from '../../page/SavedMark.tsx'
import { useOrganization } from '../../shell/use-organization.ts'
import { useTitle } from '../../shell/use-title.ts'

/** What an organization is called, and what it is known by. */
export function GeneralPage() {
  const current = useOrganization()
  useTitle(`Settings of ${current?.organization.name ?? 'an organization'}`)
  if (current === undefined) return null
  const { organization, can } = current
  const canManage = can('manage_org_settings')
  return (
    <div className={styles.page}>
      <PageHead title="General" />
      {!canManage && (
        <RoleNote organization={organization}>Its Owners and Admins change its name.</RoleNote>
      )}
      {canManage && <NameForm organization={organization} />}
      <section className={styles.section} aria-label="Facts">
        <Facts organization={organization} />
      </section>
    </div>
  )
}

function NameForm({ organization }: { readonly organization: Organization }) {
  const [name, setName] = useState(organization.name)
  const renaming = useRenameOrganization(organization.id)
  const errors = fieldErrors(renaming.error, ['name'])
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        renaming.mutate(name, { onSuccess: (saved) => setName(saved.name) })
      }}
    >
      <TextInput
        label="Name"
        required
        maxLength={128}
        value={name}
        error={errors.fields['name']}
        onChange={(event) => {
          setName(event.currentTarget.value)
          renaming.reset()
        }}
      />
      <FormError message={errors.rest} />
      <div className={styles.line}>
        <Button
          type="submit"
          loading={renaming.isPending}
          disabled={name.trim() === organization.name}
        >
          Save
        </Button>
        <SavedMark isShown={renaming.isSuccess} />
      </div>
    </form>
  )
}

function Facts({ organization }: { readonly organization: Organization }) {
  const nowMs = useNow(60_000)
  const { id, slug, created_at, role } = organization
  return (
    <dl className={styles.facts}>
      <dt>Slug</dt>
      <dd>
        <code>{slug}</code>
        <CopyButton text={slug} label="Copy the slug" />
      </dd>
      <dt>Id</dt>
      <dd>
        <code>{id}</code>
        <CopyButton text={id} label="Copy the id" />
      </dd>
      <dt>Created</dt>
      <dd>
        <TimeText at={created_at} nowMs={nowMs} withAge />
      </dd>
      <dt>Your role</dt>
      <dd>{role}</dd>
    </dl>
  )
}
