import { limits } from '@assay/contract/limits.ts'
import type { SsoConfig } from '@assay/contract/sso.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import type { EditProps } from './ProviderFields.tsx'
import styles from './sso.module.css'

const defaultRoles = [
  'Admin',
  'Editor',
  'Viewer',
] as const satisfies readonly SsoConfig['default_role'][]

/** Whose addresses come this way, and as what. */
export function DomainFields({ draft, errors, onChange }: EditProps) {
  return (
    <div className={styles.fields}>
      <TextInput
        label="Domains of your e-mail addresses"
        description={`Up to ${limits.ssoDomains.value}, with commas between. Addresses of other domains are refused.`}
        placeholder="example.org, example.com"
        required
        autoComplete="off"
        spellCheck={false}
        value={draft.domains}
        error={errors['domains']}
        onChange={(event) => onChange({ ...draft, domains: event.currentTarget.value })}
      />
      <NativeSelect
        label="Role of new people"
        description="Who is a member already keeps their role."
        value={draft.defaultRole}
        error={errors['default_role']}
        onChange={(event) => {
          const role = defaultRoles.find((one) => one === event.currentTarget.value)
          if (role !== undefined) onChange({ ...draft, defaultRole: role })
        }}
        data={[...defaultRoles]}
      />
    </div>
  )
}
