import { ApiError, call } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import { signUp } from '@assay/contract/sign-in.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { base } from '../../api/base.ts'
import { fieldErrors } from '../../form/field-errors.ts'
import form from '../../form/form.module.css'
import { useCompleteSignIn } from '../sign-in/use-complete-sign-in.ts'

interface Props {
  /** Where to go after. */
  readonly next: string
  /** The invite that is accepted with the same stroke, and the one address it is for. */
  readonly invite?: { readonly token: string; readonly email: string }
  readonly onDone?: () => void
}

/** A name, an address, a password: an account, signed in. */
export function SignUpForm({ next, invite, onDone }: Props) {
  const [values, setValues] = useState({ name: '', email: invite?.email ?? '', password: '' })
  const completeSignIn = useCompleteSignIn()
  const signingUp = useMutation({
    meta: { isSignIn: true },
    mutationFn: () =>
      call(base, signUp, {
        body: { ...values, ...(invite === undefined ? {} : { invite_token: invite.token }) },
      }),
    onSuccess: async () => {
      onDone?.()
      await completeSignIn(next)
    },
  })
  const errors = fieldErrors(signingUp.error, Object.keys(values))

  function bound(name: keyof typeof values) {
    return {
      name,
      required: true,
      value: values[name],
      error: errors.fields[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        setValues({ ...values, [name]: event.currentTarget.value })
        signingUp.reset()
      },
    }
  }

  return (
    <form
      className={form.fields}
      onSubmit={(event) => {
        event.preventDefault()
        signingUp.mutate()
      }}
    >
      <TextInput
        label="Your name"
        autoComplete="name"
        autoFocus
        maxLength={128}
        {...bound('name')}
      />
      <TextInput
        label="E-mail address"
        type="email"
        autoComplete="username"
        readOnly={invite !== undefined}
        {...(invite === undefined ? {} : { variant: 'filled' })}
        {...bound('email')}
      />
      <PasswordInput
        label="Password"
        description={`At least ${limits.passwordMin.value} characters.`}
        autoComplete="new-password"
        minLength={limits.passwordMin.value}
        maxLength={limits.passwordMax.value}
        {...bound('password')}
      />
      <FormError
        message={errors.rest === undefined ? undefined : toErrorMessage(signingUp.error)}
      />
      <Button type="submit" size="sm" loading={signingUp.isPending}>
        {invite === undefined ? 'Create account' : 'Create account and join'}
      </Button>
    </form>
  )
}

/** The refusal, and what the person can do about it. */
function toErrorMessage(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return error?.message
  switch (error.code) {
    case 'PLATFORM_ACCESS_REQUIRED':
      return `${error.message} Ask a super admin to approve it or its domain; or, if you were invited, open the link of your invite.`
    case 'CONFLICT':
      return `${error.message} Sign in with it.`
    case 'FORBIDDEN':
      return `${error.message} Sign in with it: no account has to be created.`
    default:
      return error.message
  }
}
