import { call } from '@assay/contract/client.ts'
import { createSessionTransfer } from '@assay/contract/session-transfer.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import { useMutation } from '@tanstack/react-query'
import { base } from '../api/base.ts'
import { LinkButton } from '../parts/LinkButton.tsx'
import { PageLoading } from '../shell/PageLoading.tsx'
import { useOnce } from './use-once.ts'

interface Props {
  /** The name of the product, on its own host, that has requested the session. */
  readonly to: string
  readonly state: string
}

/** Transfers the session to the other product. */
export function CreateTransfer({ to, state }: Props) {
  const { mutate, error } = useMutation({
    mutationFn: () => call(base, createSessionTransfer, { body: { state } }),
    onSuccess: ({ url }) => location.replace(url),
  })
  // One code is enough: a second one would stay unused.
  useOnce(mutate)
  if (error === null) return <PageLoading />
  return (
    <Problem
      isPage
      title={`Could not open ${to}`}
      onRetry={() => mutate()}
      actions={
        <LinkButton to="/" variant="subtle">
          Home
        </LinkButton>
      }
    >
      {error.message} Open {to} and start over there.
    </Problem>
  )
}
