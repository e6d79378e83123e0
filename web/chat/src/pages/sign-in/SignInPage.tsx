import { setupQuery } from '@assay/account/api/session.ts'
import { FormPage } from '@assay/account/form/FormPage.tsx'
import form from '@assay/account/form/form.module.css'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { openChatPath } from '@assay/account/session-transfer/transfer-links.ts'
import { useStartTransfer } from '@assay/account/session-transfer/use-start-transfer.ts'
import { SignInForm } from '@assay/account/sign-in/SignInForm.tsx'
import { startUrl } from '@assay/account/sign-in/start-url.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'

const route = getRouteApi('/signed-out/sign-in')

/** Signs in and opens the requested page. Whatever else concerns accounts is on pages of the tracing product. */
export function SignInPage() {
  const { next = '/' } = usePageSearch(route)
  const { data: setup } = useQuery(setupQuery)
  const transfer = useStartTransfer(next)
  if (setup?.needed === true) {
    return (
      <FormPage title="Assay is not set up yet">
        <p className={form.text}>
          Open the link that the service printed when it started, or go to the{' '}
          <a href={`${setup.products.tracing}/setup`}>setup page</a>.
        </p>
      </FormPage>
    )
  }
  const accountPage =
    setup &&
    ((path: string) =>
      `${setup.products.tracing}${path}?${new URLSearchParams({ next: openChatPath(next) })}`)
  return (
    <FormPage title="Sign in">
      <SignInForm
        next={next}
        onSingleSignOn={(start) =>
          transfer.mutate(({ pathname, search }) =>
            location.assign(startUrl(start, pathname + search)),
          )
        }
        passwordHelp={
          accountPage !== undefined && (
            <a href={accountPage('/forgot-password')}>Forgot your password?</a>
          )
        }
      />
      <FormError message={transfer.error?.message} />
      <p className={form.text}>
        Signed in to Assay already?{' '}
        <Link to="/session-transfer/start" search={{ next }}>
          Continue
        </Link>
      </p>
      {accountPage !== undefined && (
        <p className={form.text}>
          No account yet? <a href={accountPage('/sign-up')}>Create one</a>
        </p>
      )}
    </FormPage>
  )
}
