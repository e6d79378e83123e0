import type { MutationForm } from '@assay/account/form/use-mutation-form.ts'
import { limits } from '@assay/contract/limits.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import styles from './sso.module.css'
import type { SsoDraft } from './sso-draft.ts'

interface Props {
  readonly form: MutationForm<SsoDraft>
}

/** The domains that use single sign-on, and the default role. */
export function DomainFields({ form: { field } }: Props) {
  return (
    <div className={styles.fields}>
      <TextInput
        label="E-mail domains"
        description={`Up to ${limits.ssoDomains.value}, separated by commas. Addresses of other domains are refused.`}
        placeholder="example.org, example.com"
        required
        autoComplete="off"
        spellCheck={false}
        {...field('domains')}
      />
      <NativeSelect
        label="Default role"
        description="For new members. Existing members keep their role."
        data={['Admin', 'Editor', 'Viewer']}
        {...field('default_role')}
      />
    </div>
  )
}
