import { FormPage } from '@assay/account/form/FormPage.tsx'
import form from '@assay/account/form/form.module.css'
import { PageLoading } from '@assay/account/shell/PageLoading.tsx'
import { startUrl } from '@assay/account/sign-in/start-url.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { discoveryQuery, type InviteDetails } from '../../api/invite.ts'
import { forgetRequestedPage, loadRequestedPage } from '../../sign-in/requested-page.ts'
import { SignUpForm } from '../../sign-in/SignUpForm.tsx'
import { clearInviteToken } from './invite-token.ts'

interface Props {
  readonly token: string
  readonly invite: InviteDetails
}

const back = '/accept-invite'

/** For the invited person, signed out: they create an account or sign in. */
export function SignedOutInvite({ token, invite }: Props) {
  const discovery = useQuery(discoveryQuery(invite.email))
  if (discovery.isPending) return <PageLoading />
  // If discovery fails, both options are offered; the service checks them anyway.
  const { start_url: start, enforced = false } = discovery.data ?? {}
  return (
    <FormPage
      title={`Join ${invite.organization_name}`}
      lead={
        <>
          Your role will be {invite.role}.{' '}
          {enforced
            ? `Sign in as ${invite.email} with single sign-on to accept.`
            : 'Create your account to accept.'}
        </>
      }
    >
      {start !== undefined && (
        <Button size="sm" onClick={() => location.assign(startUrl(start, back))}>
          Continue with single sign-on
        </Button>
      )}
      {!enforced && (
        <>
          {start !== undefined && <p className={form.text}>Or with a password:</p>}
          <SignUpForm
            next={loadRequestedPage() ?? '/'}
            invite={{ token, email: invite.email }}
            onDone={() => {
              clearInviteToken()
              forgetRequestedPage()
            }}
          />
          <p className={form.text}>
            Already have an account for {invite.email}?{' '}
            <Link to="/sign-in" search={{ next: back }}>
              Sign in
            </Link>
            .
          </p>
        </>
      )}
    </FormPage>
  )
}
