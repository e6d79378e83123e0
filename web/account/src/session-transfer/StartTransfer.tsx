import { Problem } from '@assay/ui/Problem.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { findSession } from '../api/session.ts'
import { LinkButton } from '../parts/LinkButton.tsx'
import { PageLoading } from '../shell/PageLoading.tsx'
import { nextSearch } from '../sign-in/next-path.ts'
import { useOnce } from './use-once.ts'
import { useStartTransfer } from './use-start-transfer.ts'

interface Props {
  /** The name of the product where the session is. */
  readonly from: string
}

/** Opens a page with the session of this host, or with that of the other product. */
export function StartTransfer({ from }: Props) {
  const { next = '/' } = nextSearch.parse(useSearch({ strict: false }))
  const queryClient = useQueryClient()
  const { history } = useRouter()
  const { mutate, error } = useStartTransfer(next)
  const start = () => mutate((page) => location.replace(page))
  async function begin(): Promise<void> {
    const session = await findSession(queryClient).catch(() => undefined)
    if (session === undefined) start()
    else history.replace(next)
  }
  useOnce(() => void begin())
  if (error === null) return <PageLoading />
  return (
    <Problem
      isPage
      title={`Could not continue with your session of ${from}`}
      onRetry={start}
      actions={
        <LinkButton to="/sign-in" variant="subtle">
          Sign in here
        </LinkButton>
      }
    >
      {error.message}
    </Problem>
  )
}
