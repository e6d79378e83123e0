import { FormPage } from '@assay/account/form/FormPage.tsx'
import form from '@assay/account/form/form.module.css'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { SignUpForm } from '../../sign-in/SignUpForm.tsx'

const route = getRouteApi('/signed-out/sign-up')

/** Creates an account for an approved address. */
export function SignUpPage() {
  const next = usePageSearch(route).next
  return (
    <FormPage
      title="Create an account"
      lead="For approved addresses. If you were invited, open the invite link instead."
    >
      <SignUpForm next={next ?? '/'} />
      <p className={form.text}>
        Already have an account?{' '}
        <Link to="/sign-in" search={next === undefined ? {} : { next }}>
          Sign in
        </Link>
      </p>
    </FormPage>
  )
}
