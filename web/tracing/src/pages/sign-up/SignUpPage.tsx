import { getRouteApi, Link } from '@tanstack/react-router'
import { FormPage } from '../../form/FormPage.tsx'
import form from '../../form/form.module.css'
import { parseNextPath } from '../sign-in/next-path.ts'
import { SignUpForm } from './SignUpForm.tsx'

const route = getRouteApi('/sign-up')

/** An account for whoever has an approved address. */
export function SignUpPage() {
  const next = route.useSearch({ select: (search) => parseNextPath(search.next) })
  return (
    <FormPage
      title="Create an account"
      lead="For addresses that were approved for this service. If you were invited, open the link of your invite instead."
    >
      <SignUpForm next={next ?? '/'} />
      <p className={form.text}>
        You have an account?{' '}
        <Link to="/sign-in" search={next === undefined ? {} : { next }}>
          Sign in
        </Link>
      </p>
    </FormPage>
  )
}
