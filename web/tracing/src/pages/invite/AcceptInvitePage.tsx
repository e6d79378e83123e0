import { currentUserQuery } from '@assay/account/api/session.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { readHashParam } from '@assay/account/routes/hash-param.ts'
import { PageLoading } from '@assay/account/shell/PageLoading.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { ApiError } from '@assay/contract/client.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { IconMailOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { inviteQuery } from '../../api/invite.ts'
import { loadInviteToken, saveInviteToken } from './invite-token.ts'
import { JoinForm } from './JoinForm.tsx'
import { SignedOutInvite } from './SignedOutInvite.tsx'
import { WrongAccountInvite } from './WrongAccountInvite.tsx'

/** Opened from an invite link. */
export function AcceptInvitePage() {
  const linked = readHashParam(useLocation().hash, 'token')
  useEffect(() => {
    if (linked !== undefined) saveInviteToken(linked)
  }, [linked])
  const token = linked ?? loadInviteToken()
  return token === undefined ? <InvalidInvite /> : <Invite token={token} />
}

function Invite({ token }: { readonly token: string }) {
  const invite = useQuery(inviteQuery(token))
  const currentUser = useQuery(currentUserQuery)
  if (invite.isPending || currentUser.isPending) return <PageLoading />
  if (invite.isError) {
    if (invite.error instanceof ApiError && invite.error.status === 404) return <InvalidInvite />
    return <RequestProblem isPage error={invite.error} onRetry={() => void invite.refetch()} />
  }
  if (currentUser.isError) {
    return (
      <RequestProblem isPage error={currentUser.error} onRetry={() => void currentUser.refetch()} />
    )
  }
  if (currentUser.data === null) return <SignedOutInvite token={token} invite={invite.data} />
  const isInvitee = currentUser.data.email.toLowerCase() === invite.data.email.toLowerCase()
  if (!isInvitee) return <WrongAccountInvite invite={invite.data} currentUser={currentUser.data} />
  return <JoinForm token={token} invite={invite.data} />
}

function InvalidInvite() {
  return (
    <EmptyState
      isPage
      icon={<IconMailOff size={20} stroke={1.75} />}
      title="Invalid invite"
      actions={
        <LinkButton to="/" variant="default">
          Home
        </LinkButton>
      }
    >
      It was already accepted, revoked, replaced or has expired, or the link is incomplete. Ask for
      a new one.
    </EmptyState>
  )
}
