import { directoryQuery } from '@assay/account/api/projects.ts'
import { FormPage } from '@assay/account/form/FormPage.tsx'
import form from '@assay/account/form/form.module.css'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type InviteDetails, useAcceptInvite } from '../../api/invite.ts'
import { forgetRequestedPage, loadRequestedPage } from '../../sign-in/requested-page.ts'
import { clearInviteToken } from './invite-token.ts'

interface Props {
  readonly token: string
  readonly invite: InviteDetails
}

/** For the invited person, signed in. */
export function JoinForm({ token, invite }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { history } = useRouter()
  const accepting = useAcceptInvite(token, goTo)

  async function goTo(orgId: string): Promise<void> {
    clearInviteToken()
    const requested = loadRequestedPage()
    forgetRequestedPage()
    const directory = await queryClient.query({ ...directoryQuery, staleTime: 0 })
    if (requested !== undefined) return history.replace(requested)
    const joined = directory.find(({ organization }) => organization.id === orgId)
    const projectId = joined?.projects[0]?.id
    await (projectId === undefined
      ? navigate({ to: '/o/$orgId/settings/members', params: { orgId }, replace: true })
      : navigate({ to: '/p/$projectId/traces', params: { projectId }, replace: true }))
  }
  return (
    <FormPage
      title={`Join ${invite.organization_name}`}
      lead={`Your role will be ${invite.role}. If you are already a member, your role does not change.`}
    >
      <div className={form.fields}>
        <FormError message={accepting.error?.message} />
        <Button size="sm" loading={accepting.isPending} onClick={() => accepting.mutate()}>
          Accept invite
        </Button>
      </div>
    </FormPage>
  )
}
