import { ApiError, call } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import { confirmPasswordReset } from '@assay/contract/sign-in.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, PasswordInput } from '@mantine/core'
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { base } from '../../api/base.ts'
import { forgetKeys } from '../../api/revealed-keys.ts'
import { FormPage } from '../../form/FormPage.tsx'
import { fieldErrors } from '../../form/field-errors.ts'
import form from '../../form/form.module.css'
import { readHashParam } from '../../parts/hash-param.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'

/** Where the link for a new password leads. */
export function ChoosePasswordPage() {
  const token = readHashParam(useLocation().hash, 'token')
  return token === undefined ? <InvalidLink /> : <ChooseForm token={token} />
}

function ChooseForm({ token }: { readonly token: string }) {
  const [password, setPassword] = useState('')
  const choosing = useMutation({
    meta: { isSignIn: true },
    mutationFn: () => call(base, confirmPasswordReset, { body: { token, password } }),
    onSuccess: forgetKeys,
  })
  const errors = fieldErrors(choosing.error, ['password'])
  if (choosing.isSuccess) {
    return (
      <EmptyState
        icon={<IconCircleCheck size={20} stroke={1.75} />}
        title="Your password is changed"
        actions={<LinkButton to="/sign-in">Sign in</LinkButton>}
      >
        You were signed out everywhere. Sign in with the new password.
      </EmptyState>
    )
  }
  if (choosing.error instanceof ApiError && choosing.error.status === 404) return <InvalidLink />
  return (
    <FormPage
      title="Choose a password"
      lead="You are signed out everywhere and sign in with it then."
    >
      <form
        className={form.fields}
        onSubmit={(event) => {
          event.preventDefault()
          choosing.mutate()
        }}
      >
        <PasswordInput
          label="New password"
          description={`At least ${limits.passwordMin.value} characters.`}
          autoComplete="new-password"
          autoFocus
          required
          minLength={limits.passwordMin.value}
          maxLength={limits.passwordMax.value}
          value={password}
          error={errors.fields['password']}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormError message={errors.rest} />
        <Button type="submit" size="sm" loading={choosing.isPending}>
          Change password
        </Button>
      </form>
    </FormPage>
  )
}

function InvalidLink() {
  return (
    <EmptyState
      icon={<IconLinkOff size={20} stroke={1.75} />}
      title="This link cannot be used"
      actions={
        <>
          <LinkButton to="/forgot-password">Ask for a new link</LinkButton>
          <LinkButton to="/sign-in" variant="subtle">
            Sign in
          </LinkButton>
        </>
      }
    >
      It was used already, is older than {limits.passwordLinkMinutes.value} minutes, or was not
      copied whole.
    </EmptyState>
  )
}
