import { base } from '@assay/account/api/base.ts'
import { setupQuery } from '@assay/account/api/session.ts'
import { Form } from '@assay/account/form/Form.tsx'
import { FormPage } from '@assay/account/form/FormPage.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { PageLoading } from '@assay/account/shell/PageLoading.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { returnPath } from '@assay/contract/fields.ts'
import { limits } from '@assay/contract/limits.ts'
import { requestPasswordReset } from '@assay/contract/sign-in.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TextInput } from '@mantine/core'
import { IconMail, IconMailOff } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'

const route = getRouteApi('/forgot-password')

/** Requests a password reset link, where the service sends e-mail. */
export function ForgotPasswordPage() {
  const search = usePageSearch(route)
  const setup = useQuery(setupQuery)
  if (setup.isPending) return <PageLoading />
  if (setup.isError) {
    return <RequestProblem isPage error={setup.error} onRetry={() => void setup.refetch()} />
  }
  if (!setup.data.mail_configured) {
    return (
      <EmptyState
        isPage
        icon={<IconMailOff size={20} stroke={1.75} />}
        title="E-mail is not set up"
        actions={<BackToSignIn search={search} />}
      >
        Ask the operator of this service for a password link. They can create one on the command
        line.
      </EmptyState>
    )
  }
  return <RequestForm search={search} />
}

interface Props {
  /** The page to open after sign-in. */
  readonly search: { readonly next?: string }
}

function BackToSignIn({ search }: Props) {
  return (
    <LinkButton to="/sign-in" search={search}>
      Back to sign-in
    </LinkButton>
  )
}

function RequestForm({ search }: Props) {
  const requesting = useMutation({
    mutationFn: (body: Args<typeof requestPasswordReset>['body']) =>
      call(base, requestPasswordReset, { body }),
  })
  const form = useMutationForm({
    endpoint: requestPasswordReset,
    initialValues: { email: '' },
    // Of a page that cannot be kept, only the way back is lost.
    toBody: ({ email }: { readonly email: string }) => ({
      email,
      ...(returnPath.safeParse(search.next).success && { return_to: search.next }),
    }),
    mutation: requesting,
  })
  if (requesting.isSuccess) {
    return (
      <EmptyState
        isPage
        icon={<IconMail size={20} stroke={1.75} />}
        title="Check your e-mail"
        actions={<BackToSignIn search={search} />}
      >
        If {form.values.email} has an account with a password, a link was sent to it. It works once,
        within {limits.passwordLinkMinutes.value} minutes.
      </EmptyState>
    )
  }
  return (
    <FormPage title="Forgot your password?" lead="We send a link to choose a new one.">
      <Form form={form} submitLabel="Send link">
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          autoFocus
          required
          {...form.field('email')}
        />
      </Form>
      <Link to="/sign-in" search={search}>
        Back to sign-in
      </Link>
    </FormPage>
  )
}
