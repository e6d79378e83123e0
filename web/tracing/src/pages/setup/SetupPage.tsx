import { setupQuery, setupTokenQuery } from '@assay/account/api/session.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { PageLoading } from '@assay/account/shell/PageLoading.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { IconCircleCheck, IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SetupForm } from './SetupForm.tsx'

const route = getRouteApi('/setup')

/** The first page of a new installation. */
export function SetupPage() {
  const { token } = usePageSearch(route)
  const setup = useQuery(setupQuery)

  if (setup.isPending) return <PageLoading />
  if (setup.isError) {
    return <RequestProblem isPage error={setup.error} onRetry={() => void setup.refetch()} />
  }
  if (!setup.data.needed) {
    return (
      <EmptyState
        isPage
        icon={<IconCircleCheck size={20} stroke={1.75} />}
        title="Setup is complete"
        actions={<LinkButton to="/sign-in">Sign in</LinkButton>}
      >
        The setup link works once. Sign in with the account created then.
      </EmptyState>
    )
  }
  if (token === undefined) {
    return (
      <NoLink title="Set up Assay">
        Open the setup link that the service printed when it started, in the terminal or the
        container log. It proves that you operate the service.
      </NoLink>
    )
  }
  return <FormWithToken token={token} />
}

/** The form, if the token is valid. */
function FormWithToken({ token }: { readonly token: string }) {
  const check = useQuery(setupTokenQuery(token))

  if (check.isPending) return <PageLoading />
  if (check.isError) {
    return <RequestProblem isPage error={check.error} onRetry={() => void check.refetch()} />
  }
  if (!check.data) {
    return (
      <NoLink title="This setup link is not valid">
        The link may be incomplete or out of date. The service prints the current one at each start:
        open that, in the terminal or the container log.
      </NoLink>
    )
  }
  return <SetupForm token={token} />
}

interface NoLinkProps {
  readonly title: string
  readonly children: ReactNode
}

function NoLink({ title, children }: NoLinkProps) {
  return (
    <EmptyState isPage icon={<IconLink size={20} stroke={1.75} />} title={title}>
      {children}
    </EmptyState>
  )
}
