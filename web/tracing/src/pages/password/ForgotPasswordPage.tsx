import { call } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import { requestPasswordReset } from '@assay/contract/sign-in.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, TextInput } from '@mantine/core'
import { IconMail, IconMailOff } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { base } from '../../api/base.ts'
import { setupQuery } from '../../api/session.ts'
import { FormPage } from '../../form/FormPage.tsx'
import { fieldErrors } from '../../form/field-errors.ts'
import form from '../../form/form.module.css'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageLoading } from '../../shell/PageLoading.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'

/** Has a link for a new password sent, where the service sends mail; else says who can make one. */
export function ForgotPasswordPage() {
  const setup = useQuery(setupQuery)
  if (setup.isPending) return <PageLoading />
  if (setup.isError) {
    return <RequestProblem error={setup.error} onRetry={() => void setup.refetch()} />
  }
  if (!setup.data.mail_configured) {
    return (
      <EmptyState
        icon={<IconMailOff size={20} stroke={1.75} />}
        title="This service sends no mail"
        actions={<LinkButton to="/sign-in">Back to sign-in</LinkButton>}
      >
        Ask whoever runs it for a link to choose a new password: they make one on the command line.
      </EmptyState>
    )
  }
  return <RequestForm />
}

function RequestForm() {
  const [email, setEmail] = useState('')
  const requesting = useMutation({
    mutationFn: () => call(base, requestPasswordReset, { body: { email } }),
  })
  const errors = fieldErrors(requesting.error, ['email'])
  if (requesting.isSuccess) {
    return (
      <EmptyState
        icon={<IconMail size={20} stroke={1.75} />}
        title="Look at your mail"
        actions={<LinkButton to="/sign-in">Back to sign-in</LinkButton>}
      >
        If there is an account with a password for {email}, a link is on its way. It can be used
        once, within {limits.passwordLinkMinutes.value} minutes.
      </EmptyState>
    )
  }
  return (
    <FormPage
      title="Forgot your password"
      lead="A link to choose a new one is sent to your address."
    >
      <form
        className={form.fields}
        onSubmit={(event) => {
          event.preventDefault()
          requesting.mutate()
        }}
      >
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          autoFocus
          required
          value={email}
          error={errors.fields['email']}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <FormError message={errors.rest} />
        <Button type="submit" size="sm" loading={requesting.isPending}>
          Send the link
        </Button>
        <Link to="/sign-in">Back to sign-in</Link>
      </form>
    </FormPage>
  )
}
