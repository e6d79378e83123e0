import { FormPage } from '@assay/account/form/FormPage.tsx'
import form from '@assay/account/form/form.module.css'
import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { forgetRequestedPage, rememberRequestedPage } from '../../sign-in/requested-page.ts'
import { SignUpForm } from '../../sign-in/SignUpForm.tsx'

const route = getRouteApi('/signed-out/sign-up')

/** Creates an account for an approved address. */
export function SignUpPage() {
  const next = usePageSearch(route).next
  useEffect(() => {
    if (next !== undefined) rememberRequestedPage(next)
  }, [next])
  return (
    <FormPage
      title="Create an account"
      lead="For approved addresses. If you were invited, open the invite link instead."
    >
      <SignUpForm next={next ?? '/'} onDone={forgetRequestedPage} />
      <p className={form.text}>
        Already have an account?{' '}
        <Link to="/sign-in" search={omitUndefined({ next })}>
          Sign in
        </Link>
      </p>
    </FormPage>
  )
}
