import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Button } from '@mantine/core'
import { IconCircleCheck, IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { setupQuery } from '../../api/session.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageLoading } from '../../shell/PageLoading.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { SetupForm } from './SetupForm.tsx'

const route = getRouteApi('/setup')

/** The first page of a new installation. */
export function SetupPage() {
  const { token } = route.useSearch()
  const setup = useQuery(setupQuery)

  if (setup.isPending) return <PageLoading />
  if (setup.isError) {
    return <RequestProblem error={setup.error} onRetry={() => void setup.refetch()} />
  }
  if (!setup.data.needed) {
    return (
      <EmptyState
        icon={<IconCircleCheck size={20} stroke={1.75} />}
        title="This service is set up"
        actions={<LinkButton to="/sign-in">Sign in</LinkButton>}
      >
        The set-up link works once. Sign in with the account that was made then.
      </EmptyState>
    )
  }
  if (token === undefined) {
    return (
      <EmptyState
        icon={<IconLink size={20} stroke={1.75} />}
        title="Open the set-up link"
        actions={
          <Button variant="default" onClick={() => void setup.refetch()}>
            Look again
          </Button>
        }
      >
        This service waits for its first person. The link is printed where it was started, in the
        terminal or the log of the container. It proves that you are the one who runs it.
      </EmptyState>
    )
  }
  return <SetupForm token={token} />
}
