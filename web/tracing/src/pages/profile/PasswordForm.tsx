import { limits } from '@assay/contract/limits.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionsQuery, useChangePassword } from '../../api/profile.ts'
import { sessionQuery } from '../../api/session.ts'
import { fieldErrors } from '../../form/field-errors.ts'
import styles from '../../page/page.module.css'
import { SavedMark } from '../../page/SavedMark.tsx'

const empty = { current_password: '', new_password: '' }

/** Changes the password, which signs all other browsers out. */
export function PasswordForm() {
  const [values, setValues] = useState(empty)
  const { data: session } = useQuery(sessionQuery)
  const { data: sessions = [] } = useQuery(sessionsQuery)
  const changing = useChangePassword()
  const errors = fieldErrors(changing.error, Object.keys(empty))
  const cameBySso = sessions.some(({ is_current, method }) => is_current && method === 'sso')
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        changing.mutate(values, { onSuccess: () => setValues(empty) })
      }}
    >
      {cameBySso && (
        <p className={styles.note}>
          You came in through single sign-on and may have no password here. This changes one that
          you have.
        </p>
      )}
      {/* For password managers: whose password it is. */}
      <input
        type="hidden"
        name="username"
        autoComplete="username"
        value={session?.user.email ?? ''}
      />
      <PasswordInput
        label="Present password"
        required
        autoComplete="current-password"
        value={values.current_password}
        error={errors.fields['current_password']}
        onChange={(event) => {
          setValues({ ...values, current_password: event.currentTarget.value })
          changing.reset()
        }}
      />
      <PasswordInput
        label="New password"
        description={`At least ${limits.passwordMin.value} characters. All your other sessions end.`}
        required
        minLength={limits.passwordMin.value}
        maxLength={limits.passwordMax.value}
        autoComplete="new-password"
        value={values.new_password}
        error={errors.fields['new_password']}
        onChange={(event) => {
          setValues({ ...values, new_password: event.currentTarget.value })
          changing.reset()
        }}
      />
      <FormError message={errors.rest} />
      <div className={styles.line}>
        <Button type="submit" loading={changing.isPending}>
          Change password
        </Button>
        <SavedMark isShown={changing.isSuccess}>Changed; your other sessions have ended</SavedMark>
      </div>
    </form>
  )
}
