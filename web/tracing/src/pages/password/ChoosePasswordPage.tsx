import { base } from '@assay/account/api/base.ts'
import { setupQuery } from '@assay/account/api/session.ts'
import { Form } from '@assay/account/form/Form.tsx'
import { FormPage } from '@assay/account/form/FormPage.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { readHashParam } from '@assay/account/routes/hash-param.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { PageLoading } from '@assay/account/shell/PageLoading.tsx'
import { ApiError, call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { checkPasswordReset, confirmPasswordReset } from '@assay/contract/sign-in.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { PasswordInput } from '@mantine/core'
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { forgetKeys } from '../../api/revealed-keys.ts'

const route = getRouteApi('/choose-password')

/** Opened from a password reset link. */
export function ChoosePasswordPage() {
  const token = readHashParam(useLocation().hash, 'token')
  return token === undefined ? <InvalidLink /> : <CheckedLink token={token} />
}

/** Without a response, such as beyond the rate limit, the form is shown: it checks the link again. */
function CheckedLink({ token }: { readonly token: string }) {
  const checking = useQuery({
    queryKey: ['password-link', token],
    queryFn: ({ signal }) => call(base, checkPasswordReset, { body: { token } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (checking.isPending) return <PageLoading />
  return isInvalidLink(checking.error) ? <InvalidLink /> : <ChooseForm token={token} />
}

function isInvalidLink(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}

function ChooseForm({ token }: { readonly token: string }) {
  const search = usePageSearch(route)
  const choosing = useMutation({
    meta: { isSignIn: true },
    mutationFn: (body: Args<typeof confirmPasswordReset>['body']) =>
      call(base, confirmPasswordReset, { body }),
    onSuccess: forgetKeys,
  })
  const form = useMutationForm({
    endpoint: confirmPasswordReset,
    initialValues: { password: '' },
    toBody: ({ password }: { readonly password: string }) => ({ token, password }),
    mutation: choosing,
  })
  if (choosing.isSuccess) {
    return (
      <EmptyState
        isPage
        icon={<IconCircleCheck size={20} stroke={1.75} />}
        title="Password changed"
        actions={
          <LinkButton to="/sign-in" search={search}>
            Sign in
          </LinkButton>
        }
      >
        All your sessions have ended. Sign in with the new password.
      </EmptyState>
    )
  }
  if (isInvalidLink(choosing.error)) return <InvalidLink />
  return (
    <FormPage title="Choose a password" lead="All your sessions end when you change it.">
      <Form form={form} submitLabel="Change password">
        <PasswordInput
          label="New password"
          description={`At least ${limits.passwordMin.value} characters.`}
          autoComplete="new-password"
          autoFocus
          required
          {...form.field('password')}
        />
      </Form>
    </FormPage>
  )
}

function InvalidLink() {
  const search = usePageSearch(route)
  const setup = useQuery(setupQuery)
  const canRequest = setup.data?.mail_configured
  return (
    <EmptyState
      isPage
      icon={<IconLinkOff size={20} stroke={1.75} />}
      title="Invalid link"
      actions={
        <>
          {canRequest === true && (
            <LinkButton to="/forgot-password" search={search}>
              Request a new link
            </LinkButton>
          )}
          <LinkButton to="/sign-in" search={search} variant="subtle">
            Sign in
          </LinkButton>
        </>
      }
    >
      It was already used, is older than {limits.passwordLinkMinutes.value} minutes, or is
      incomplete.{canRequest === false && ' Ask the operator of this service for a new link.'}
    </EmptyState>
  )
}
