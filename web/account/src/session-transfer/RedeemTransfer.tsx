import { call } from '@assay/contract/client.ts'
import { redeemSessionTransfer } from '@assay/contract/session-transfer.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { base } from '../api/base.ts'
import { LinkButton } from '../parts/LinkButton.tsx'
import { readHashParam } from '../routes/hash-param.ts'
import { PageLoading } from '../shell/PageLoading.tsx'
import { takeReturnPath } from './return-path.ts'
import { useOnce } from './use-once.ts'

interface Props {
  /** The name of the product where the session is. */
  readonly from: string
}

/** Signs in a person who comes from the other product with a code. */
export function RedeemTransfer({ from }: Props) {
  const code = readHashParam(useLocation().hash, 'code') ?? ''
  const { mutate, error } = useMutation({
    mutationFn: () => call(base, redeemSessionTransfer, { body: { code } }),
    onSuccess: () => location.replace(takeReturnPath()),
  })
  // A code works once: a second request would fail.
  useOnce(mutate)
  if (error === null) return <PageLoading />
  return (
    <Problem
      isPage
      title={`Could not sign you in from ${from}`}
      actions={
        <LinkButton to="/sign-in" variant="subtle">
          Sign in here
        </LinkButton>
      }
    >
      {error.message} Codes are single-use and expire after 1 minute.
    </Problem>
  )
}
