import { setupQuery } from '@assay/account/api/session.ts'
import { FormPage } from '@assay/account/form/FormPage.tsx'
import form from '@assay/account/form/form.module.css'
import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { SignInForm } from '@assay/account/sign-in/SignInForm.tsx'
import { startUrl } from '@assay/account/sign-in/start-url.ts'
import { signInProblems } from '@assay/contract/sign-in-problems.ts'
import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { toProblemMessage } from '../../sign-in/problem-messages.ts'
import { LinkForm } from './LinkForm.tsx'

const route = getRouteApi('/signed-out/sign-in')

/** Signs in and opens the requested page. */
export function SignInPage() {
  const { next, problem } = usePageSearch(route)
  const setup = useQuery(setupQuery)
  const search = omitUndefined({ next })

  if (setup.data?.needed === true) return <Navigate to="/setup" replace />

  if (problem === 'not_linked') {
    return (
      <FormPage title="Connect your account" lead={signInProblems.not_linked}>
        <LinkForm search={search} />
      </FormPage>
    )
  }

  const message = problem === undefined ? undefined : toProblemMessage(problem)
  return (
    <FormPage title="Sign in">
      {message !== undefined && (
        <Alert
          color="orange"
          p="xs"
          role="alert"
          title={message.what}
          icon={<IconAlertTriangle size={16} />}
        >
          {message.next}
        </Alert>
      )}
      <SignInForm
        next={next ?? '/'}
        onSingleSignOn={(start) => location.assign(startUrl(start, next ?? '/'))}
        passwordHelp={
          <Link to="/forgot-password" search={search}>
            Forgot your password?
          </Link>
        }
      />
      <p className={form.text}>
        No account yet?{' '}
        <Link to="/sign-up" search={search}>
          Create one
        </Link>
      </p>
    </FormPage>
  )
}
