import { sessionQuery } from '@assay/account/api/session.ts'
import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { limits } from '@assay/contract/limits.ts'
import { changePassword } from '@assay/contract/profile.ts'
import { PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionsQuery, useChangePassword } from '../../api/profile.ts'
import styles from '../../page/page.module.css'

/** Changes the password, which ends all other sessions. */
export function PasswordForm() {
  const { data: session } = useQuery(sessionQuery)
  const { data: sessions = [] } = useQuery(sessionsQuery)
  const form = useMutationForm({
    endpoint: changePassword,
    initialValues: { current_password: '', new_password: '' },
    mutation: useChangePassword(),
    resetsOnDone: true,
  })
  const cameBySso = sessions.some(({ is_current, method }) => is_current && method === 'sso')
  return (
    <Form
      form={form}
      submitLabel="Change password"
      isSettings
      savedText="Changed. Your other sessions have ended."
    >
      {cameBySso && (
        <p className={styles.note}>
          You signed in with single sign-on and may have no password. This changes an existing one.
        </p>
      )}
      {/* For password managers: the account of the password. */}
      <input
        type="hidden"
        name="username"
        autoComplete="username"
        value={session?.user.email ?? ''}
      />
      <PasswordInput
        label="Current password"
        required
        autoComplete="current-password"
        {...form.field('current_password')}
      />
      <PasswordInput
        label="New password"
        description={`At least ${limits.passwordMin.value} characters. Your other sessions end.`}
        required
        autoComplete="new-password"
        {...form.field('new_password')}
      />
    </Form>
  )
}
