import { base } from '@assay/account/api/base.ts'
import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { useCompleteSignIn } from '@assay/account/sign-in/use-complete-sign-in.ts'
import { ApiError, call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { signUp } from '@assay/contract/sign-in.ts'
import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

interface Props {
  /** The path to open afterwards. */
  readonly next: string
  /** The invite to accept with the new account, and the address that it is for. */
  readonly invite?: { readonly token: string; readonly email: string }
  readonly onDone?: () => void
}

/** Creates an account and signs in. */
export function SignUpForm({ next, invite, onDone }: Props) {
  const completeSignIn = useCompleteSignIn()
  const mutation = useMutation({
    meta: { isSignIn: true },
    mutationFn: (body: Args<typeof signUp>['body']) => call(base, signUp, { body }),
    onSuccess: async () => {
      onDone?.()
      await completeSignIn(next)
    },
  })
  const initialValues = { name: '', email: invite?.email ?? '', password: '' }
  const form = useMutationForm({
    endpoint: signUp,
    initialValues,
    toBody: (values: typeof initialValues) =>
      invite === undefined ? values : { ...values, invite_token: invite.token },
    mutation,
    formatError,
  })
  const { field } = form
  return (
    <Form
      form={form}
      submitLabel={invite === undefined ? 'Create account' : 'Create account and join'}
    >
      <TextInput label="Your name" required autoComplete="name" autoFocus {...field('name')} />
      <TextInput
        label="E-mail address"
        required
        type="email"
        autoComplete="username"
        readOnly={invite !== undefined}
        {...(invite === undefined ? {} : { variant: 'filled' })}
        {...field('email')}
      />
      <PasswordInput
        label="Password"
        required
        description={`At least ${limits.passwordMin.value} characters.`}
        autoComplete="new-password"
        {...field('password')}
      />
    </Form>
  )
}

/** Adds the next step to an error message. */
function formatError(error: Error): string {
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'PLATFORM_ACCESS_REQUIRED') {
    return `${error.message} Ask a super admin to approve it or its domain. If you were invited, open the invite link.`
  }
  if (code === 'CONFLICT' || code === 'FORBIDDEN') return `${error.message} Sign in instead.`
  return error.message
}
