import { ApiError, call } from '@assay/contract/client.ts'
import { signIn } from '@assay/contract/sign-in.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { base } from '../api/base.ts'
import { useDiscovery } from '../api/session.ts'
import { fieldErrors } from '../form/field-errors.ts'
import form from '../form/form.module.css'
import { useCompleteSignIn } from './use-complete-sign-in.ts'

interface Props {
  /** The path to open afterwards. */
  readonly next: string
  /** Leaves for single sign-on, which starts at this address. */
  readonly onSingleSignOn: (start: string) => void
  /** What to do without the password. */
  readonly passwordHelp: ReactNode
}

/** Asks for the address first, then shows its sign-in method. */
export function SignInForm({ next, onSingleSignOn, passwordHelp }: Props) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [prefersPassword, setPrefersPassword] = useState(false)
  const discovering = useDiscovery()
  const completeSignIn = useCompleteSignIn()
  const signingIn = useMutation({
    meta: { isSignIn: true },
    mutationFn: () => call(base, signIn, { body: { email, password } }),
    onSuccess: () => completeSignIn(next),
  })
  const found = discovering.data
  const step = toSignInStep(found, prefersPassword)
  const errors = fieldErrors(discovering.error, ['email'])
  const isBusy = isTooMany(discovering.error)

  function submit(): void {
    if (step === 'address') discovering.mutate(email)
    else if (step === 'password') signingIn.mutate()
    else if (found?.start_url !== undefined) onSingleSignOn(found.start_url)
  }

  return (
    <form
      className={form.fields}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
        required
        value={email}
        error={errors.fields['email']}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          setPrefersPassword(false)
          discovering.reset()
          signingIn.reset()
        }}
      />
      {step === 'password' && (
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          autoFocus
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      {step === 'sso' && (
        <p className={form.text} role="status">
          {email.slice(email.lastIndexOf('@') + 1)} uses single sign-on.
        </p>
      )}
      <FormError message={step === 'password' ? signingIn.error?.message : errors.rest} />
      <Button type="submit" size="sm" loading={discovering.isPending || signingIn.isPending}>
        {submitLabels[step]}
      </Button>
      {step === 'password' && passwordHelp}
      {(step === 'sso' || (step === 'address' && isBusy)) && (
        <Button variant="subtle" onClick={() => setPrefersPassword(true)}>
          {found?.enforced === true ? 'Super admin? Use your password' : 'Use a password instead'}
        </Button>
      )}
    </form>
  )
}

type SignInStep = 'address' | 'password' | 'sso'

const submitLabels: Readonly<Record<SignInStep, string>> = {
  address: 'Continue',
  password: 'Sign in',
  sso: 'Continue with single sign-on',
}

function toSignInStep(
  found: { readonly sso: boolean } | undefined,
  prefersPassword: boolean,
): SignInStep {
  if (prefersPassword) return 'password'
  if (found === undefined) return 'address'
  return found.sso ? 'sso' : 'password'
}

/**
 * The limit may have been caused by others in the network: people with a password can sign in regardless.
 */
function isTooMany(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'RATE_LIMITED'
}
