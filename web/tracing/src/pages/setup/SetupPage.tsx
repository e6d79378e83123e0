import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { Button } from '@mantine/core'
import { IconCircleCheck, IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { setupQuery } from '../../api/session.ts'
import { usePageSearch } from '../../page/use-page-search.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageLoading } from '../../shell/PageLoading.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { SetupForm } from './SetupForm.tsx'

const route = getRouteApi('/setup')

/** The first page of a new installation. */
export function SetupPage() {
  const { token } = usePageSearch(route)
  const setup = useQuery(setupQuery)

  if (setup.isPending) return <PageLoading />
  if (setup.isError) {
    return <RequestProblem error={setup.error} onRetry={() => void setup.refetch()} />
  }
  if (!setup.data.needed) {
    return (
      <EmptyState
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
      <EmptyState
        icon={<IconLink size={20} stroke={1.75} />}
        title="Set up Assay"
        actions={
          <Button variant="default" onClick={() => void setup.refetch()}>
            Retry
          </Button>
        }
      >
        Open the setup link that the service printed when it started, in the terminal or the
        container log. It proves that you operate the service.
      </EmptyState>
    )
  }
  return <SetupForm token={token} />
}
