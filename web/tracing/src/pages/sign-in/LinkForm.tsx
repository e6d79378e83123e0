import { ApiError, call } from '@assay/contract/client.ts'
import { linkSso } from '@assay/contract/sso.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { base } from '../../api/base.ts'
import form from '../../form/form.module.css'
import { useCompleteSignIn } from './use-complete-sign-in.ts'

/** Connects an account to the identity provider that the person has just come back from, by its password. */
export function LinkForm() {
  const [password, setPassword] = useState('')
  const completeSignIn = useCompleteSignIn()
  const linking = useMutation({
    meta: { isSignIn: true },
    mutationFn: () => call(base, linkSso, { body: { password } }),
    onSuccess: ({ return_to }) => completeSignIn(return_to),
  })
  const isOver = linking.error instanceof ApiError && linking.error.status === 404
  return (
    <form
      className={form.fields}
      onSubmit={(event) => {
        event.preventDefault()
        linking.mutate()
      }}
    >
      <PasswordInput
        label="Password of your account"
        autoComplete="current-password"
        autoFocus
        required
        value={password}
        onChange={(event) => {
          setPassword(event.currentTarget.value)
          linking.reset()
        }}
      />
      <FormError message={linking.error?.message} />
      {!isOver && (
        <Button type="submit" size="sm" loading={linking.isPending}>
          Connect and sign in
        </Button>
      )}
      <div className={form.apart}>
        <Link to="/sign-in">Start again</Link>
        <Link to="/forgot-password">Forgot your password?</Link>
      </div>
    </form>
  )
}
