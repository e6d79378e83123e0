import { ApiError, call } from '@assay/contract/client.ts'
import { createSessionTransfer } from '@assay/contract/session-transfer.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { base } from '../api/base.ts'
import { LinkButton } from '../parts/LinkButton.tsx'
import { PageLoading } from '../shell/PageLoading.tsx'
import { transferSearch } from './transfer-search.ts'
import { useOnce } from './use-once.ts'

interface Props {
  /** The name of the product, on its own host, that has requested the session. */
  readonly to: string
}

/** Transfers the session to the other product. */
export function CreateTransfer({ to }: Props) {
  const { state = '' } = transferSearch.parse(useSearch({ strict: false }))
  const { mutate, error } = useMutation({
    mutationFn: () => call(base, createSessionTransfer, { body: { state } }),
    onSuccess: ({ url }) => location.replace(url),
  })
  // One code is enough: a second one would stay unused.
  useOnce(mutate)
  if (error === null) return <PageLoading />
  // Such as of a copied part of it: the same request fails again.
  const isBadLink = error instanceof ApiError && error.status === 400
  return (
    <Problem
      isPage
      title={`Could not open ${to}`}
      {...(isBadLink ? {} : { onRetry: () => mutate() })}
      actions={
        <LinkButton to="/" variant="subtle">
          Home
        </LinkButton>
      }
    >
      {isBadLink ? 'This link is not valid.' : error.message} Open {to} and start over there.
    </Problem>
  )
}
