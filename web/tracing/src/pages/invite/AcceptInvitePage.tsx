import { ApiError } from '@assay/contract/client.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { IconMailOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { inviteQuery } from '../../api/invite.ts'
import { visitorQuery } from '../../api/session.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { secretIn } from '../../parts/link-secret.ts'
import { PageLoading } from '../../shell/PageLoading.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useTitle } from '../../shell/use-title.ts'
import { ForOther } from './ForOther.tsx'
import { ForStranger } from './ForStranger.tsx'
import { JoinForm } from './JoinForm.tsx'
import { keepToken, keptToken } from './kept-token.ts'

/** Where the link of an invite leads: to an account, or straight in. */
export function AcceptInvitePage() {
  useTitle('Invite')
  const linked = secretIn(useLocation().hash, 'token')
  useEffect(() => {
    if (linked !== undefined) keepToken(linked)
  }, [linked])
  const token = linked ?? keptToken()
  return token === undefined ? <Unusable /> : <Invite token={token} />
}

function Invite({ token }: { readonly token: string }) {
  const invite = useQuery(inviteQuery(token))
  const visitor = useQuery(visitorQuery)
  if (invite.isPending || visitor.isPending) return <PageLoading />
  if (invite.isError) {
    if (invite.error instanceof ApiError && invite.error.status === 404) return <Unusable />
    return <RequestProblem error={invite.error} onRetry={() => void invite.refetch()} />
  }
  if (visitor.isError) {
    return <RequestProblem error={visitor.error} onRetry={() => void visitor.refetch()} />
  }
  if (visitor.data === null) return <ForStranger token={token} invite={invite.data} />
  const isTheirs = visitor.data.email.toLowerCase() === invite.data.email.toLowerCase()
  if (!isTheirs) return <ForOther invite={invite.data} visitor={visitor.data} />
  return <JoinForm token={token} invite={invite.data} />
}

function Unusable() {
  return (
    <EmptyState
      icon={<IconMailOff size={20} stroke={1.75} />}
      title="This invite cannot be used"
      actions={
        <LinkButton to="/" variant="default">
          To the start page
        </LinkButton>
      }
    >
      It was accepted already, revoked, replaced by a newer one, or has run out; or the link was not
      copied whole. Ask whoever invited you for a new link.
    </EmptyState>
  )
}
